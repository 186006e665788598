import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decodeJws, ED25519_ALGORITHMS, signEddsa, verifyEddsa } from './eddsa'
import { encodeBase64url } from './encoding'
import { codeOf, ed25519Key, p256Key, rawJws } from './test-support'

const key = ed25519Key()
const p256 = p256Key()
const part = (value: unknown) => encodeBase64url(JSON.stringify(value))
const verified = (compact: string, algorithms = ED25519_ALGORITHMS, publicKey = key.publicKey) =>
  codeOf(() => verifyEddsa(decodeJws(compact), { key: publicKey, algorithms }))

describe('RFC 8037 appendix A.4', () => {
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    format: 'jwk',
  })
  const signingInput = 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc'
  const signature = 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg'
  const compact = `${signingInput}.${signature}`

  test('the signature of RFC 8037 appendix A.4 verifies', () => {
    const jws = { header: { alg: 'EdDSA' }, payload: {}, signature: Buffer.from(signature, 'base64url'), compact }
    expect(codeOf(() => verifyEddsa(jws, { key: publicKey }))).toBe('accepted')
    expect(codeOf(() => verifyEddsa({ ...jws, compact: `x${compact}` }, { key: publicKey }))).toBe('invalid_signature')
  })

  test('the payload of RFC 8037 appendix A.4 is no JSON object, so it is no JWT', () => {
    expect(codeOf(() => decodeJws(compact))).toBe('malformed')
  })
})

describe('signing', () => {
  test('signing names the algorithm, the type and the key', () => {
    const jws = decodeJws(signEddsa({ typ: 'at+jwt', payload: { sub: 'ü' }, key }))
    expect(jws.header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid })
    expect(jws.payload).toEqual({ sub: 'ü' })
    expect(verified(jws.compact)).toBe('accepted')
  })

  test('signing needs an Ed25519 key', () => {
    const ed448 = { kid: 'k', privateKey: generateKeyPairSync('ed448').privateKey }
    for (const other of [p256, ed448]) {
      expect(codeOf(() => signEddsa({ typ: 'JWT', payload: {}, key: other }))).toBe('invalid_signature')
    }
  })
})

describe('a JWS is refused', () => {
  const good = rawJws({ alg: 'EdDSA' }, {}, key)
  const [header, payload, signature] = good.split('.')

  test.each([
    ['nothing', ''],
    ['two segments', `${header}.${payload}`],
    ['four segments', `${good}.AA`],
    ['a dot at the end', `${good}.`],
    ['no signature', `${header}.${payload}.`],
    ['no payload', `${header}..${signature}`],
    ['no header', `.${payload}.${signature}`],
    ['a padded segment', `${good}=`],
    ['a space', ` ${good}`],
    ['a header that is no object', `${part([])}.${payload}.${signature}`],
    ['a header without alg', `${part({})}.${payload}.${signature}`],
    ['a number as alg', `${part({ alg: 1 })}.${payload}.${signature}`],
    ['a number as typ', `${part({ alg: 'EdDSA', typ: 1 })}.${payload}.${signature}`],
    ['a number as kid', `${part({ alg: 'EdDSA', kid: 1 })}.${payload}.${signature}`],
    ['a crit extension', `${part({ alg: 'EdDSA', crit: ['exp'], exp: 1 })}.${payload}.${signature}`],
    ['an empty crit', `${part({ alg: 'EdDSA', crit: [] })}.${payload}.${signature}`],
    ['b64', `${part({ alg: 'EdDSA', b64: true })}.${payload}.${signature}`],
    ['an array as payload', `${header}.${part([1])}.${signature}`],
    ['more than 8 KiB', `${header}.${part({ a: 'a'.repeat(8_192) })}.${signature}`],
  ])('a JWS is refused for its form: %s', (_name, jws) => {
    expect(codeOf(() => decodeJws(jws))).toBe('malformed')
  })

  test.each([
    ['alg none', rawJws({ alg: 'none' }, {}, key)],
    ['HS256', rawJws({ alg: 'HS256' }, {}, key)],
    ['ES256', rawJws({ alg: 'ES256' }, {}, key)],
    ['a lower-case alg', rawJws({ alg: 'eddsa' }, {}, key)],
    ['another key', rawJws({ alg: 'EdDSA' }, {}, ed25519Key())],
    ['a changed payload', `${header}.${part({ a: 1 })}.${signature}`],
    ['a short signature', `${header}.${payload}.${encodeBase64url(Buffer.alloc(63))}`],
    ['a long signature', `${header}.${payload}.${encodeBase64url(Buffer.alloc(65))}`],
  ])('a JWS is refused for its signature: %s', (_name, jws) => {
    expect(verified(jws)).toBe('invalid_signature')
  })

  test('a JWS is refused for an algorithm outside the list, even where the list names more than Ed25519', () => {
    expect(verified(rawJws({ alg: 'Ed25519' }, {}, key), ['EdDSA'])).toBe('invalid_signature')
    expect(verified(rawJws({ alg: 'ES256' }, {}, p256), ['ES256'], p256.publicKey)).toBe('invalid_signature')
  })

  test('a JWS is refused when it is checked against a private key, or one of another type', () => {
    expect(verified(good, ['EdDSA'], key.privateKey)).toBe('invalid_signature')
    expect(verified(rawJws({ alg: 'EdDSA' }, {}, p256), ['EdDSA'], p256.publicKey)).toBe('invalid_signature')
    const { publicKey } = generateKeyPairSync('ed448')
    expect(verified(good, ['EdDSA'], publicKey)).toBe('invalid_signature')
  })
})
