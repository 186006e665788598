import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { encryptPush, parsePushKeys, signVapid } from './web-push'

/** RFC 8291 appendix A. */
const vector = {
  plaintext: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const decode = (text: string) => Buffer.from(text, 'base64url')
const secrets = {
  keys: parsePushKeys(vector),
  salt: decode(vector.salt),
  privateKey: decode(vector.senderPrivate),
  paddedBytes: 0,
}

describe('a push message', () => {
  test('a push message is encrypted as the example of RFC 8291 appendix A', () => {
    expect(encryptPush(Buffer.from(vector.plaintext), secrets).toString('base64url')).toBe(vector.body)
  })

  test('a padded push message is as long as any other', () => {
    const lengths = ['', 'short', 'a little longer'].map(
      (text) => encryptPush(Buffer.from(text), { ...secrets, paddedBytes: 2_900 }).length,
    )
    expect(new Set(lengths)).toEqual(new Set([86 + 2_900 + 1 + 16]))
  })

  test('a push message that does not fit into one record is refused', () => {
    expect(() => encryptPush(Buffer.alloc(4_080), secrets)).toThrow('too long')
    expect(encryptPush(Buffer.alloc(4_079), secrets)).toHaveLength(86 + 4_096)
  })
})

describe('the keys of a subscription', () => {
  test.each([
    ['a point that is not on the curve', { p256dh: decode(vector.p256dh).fill(7, 1).toString('base64url') }],
    ['a compressed point', { p256dh: decode(vector.p256dh).subarray(0, 33).toString('base64url') }],
    ['a short secret', { auth: vector.auth.slice(0, 20) }],
    ['padding', { auth: `${vector.auth}==` }],
    ['nothing', { p256dh: '' }],
  ])('keys with %s are malformed', (_what, wrong) => {
    expect(() => parsePushKeys({ ...vector, ...wrong })).toThrow(expect.objectContaining({ code: 'malformed' }))
  })
})

test('a push service can verify who sends: audience, end and contact are those of RFC 8292', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), decode(String(x)), decode(String(y))]).toString('base64url')
  const now = new Date('2026-11-29T10:00:00Z')
  const claims = { endpoint: 'https://push.example:8443/p/1?x=2', subject: 'mailto:ops@example.com', now }
  const header = await signVapid(claims, { privateKey, publicKey: point })
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  expect(key).toBe(point)
  const { payload, protectedHeader } = await jwtVerify(token, createPublicKey(privateKey), { currentDate: now })
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(payload).toEqual({
    aud: 'https://push.example:8443',
    sub: 'mailto:ops@example.com',
    exp: now.getTime() / 1000 + 12 * 3_600,
  })
})
