import { createPrivateKey, createPublicKey } from 'node:crypto'
import { createSignatureSync } from 'http-message-sig'
import { describe, expect, test } from 'vitest'
import { contentDigest, verifyContentDigest } from './content-digest'
import { ProtocolError } from './errors'
import { type ResponseVerification, signResponse, verifyResponse } from './http-signature'
import {
  codeOf,
  ed25519Key,
  isEd25519Signature,
  NOW,
  NOW_SECONDS,
  p256Key,
  signBytes,
  type TestKey,
} from './test-support'

describe('RFC 9421 appendix B.2.6', () => {
  const x = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
  const d = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU'
  const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' })

  test('our signer makes the signature of RFC 9421 appendix B.2.6, and our verifier takes it', () => {
    const fields = [
      { name: 'date', value: 'Tue, 20 Apr 2021 02:07:55 GMT' },
      { name: 'content-type', value: 'application/json' },
      { name: 'content-length', value: '18' },
    ]
    const message = {
      kind: 'request',
      method: 'POST',
      targetUri: 'https://example.com/foo?param=Value&Pet=dog',
      fields,
    } as const
    let base: Uint8Array = new Uint8Array()
    const sign = (data: Uint8Array) => {
      base = data
      return signBytes(data, privateKey)
    }
    const result = createSignatureSync(message, {
      label: 'sig-b26',
      components: ['date', '@method', '@path', '@authority', 'content-type', 'content-length'],
      parameters: { created: 1_618_884_473, keyid: 'test-key-ed25519' },
      signer: { algorithm: 'ed25519', sign },
    })
    expect(result.signature).toBe(`sig-b26=:${signature}:`)
    expect(isEd25519Signature(createPublicKey(privateKey), base, Buffer.from(signature, 'base64'))).toBe(true)
  })
})

describe('Content-Digest (RFC 9530)', () => {
  const body = Buffer.from('{"hello": "world"}\n')
  const sha256 = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:'
  const sha512 = 'sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:'
  const check = (field: string | null) => codeOf(() => verifyContentDigest(field, body))

  test('a Content-Digest is that of the example of RFC 9530', () => {
    expect(contentDigest(body)).toBe(sha256)
    expect([sha256, sha512, `${sha256}, ${sha512}`, `md5=:AAAA:, ${sha256}`].map(check)).toEqual(
      Array(4).fill('accepted'),
    )
  })

  test.each([
    ['missing', null],
    ['empty', ''],
    ['no dictionary', 'sha-256'],
    ['garbage', '=:('],
    ['a string', 'sha-256="RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="'],
    ['of another body', contentDigest(Buffer.from('other'))],
    ['only of an insecure algorithm', 'md5=:sQqNsWTgdUEFt6mb5y4/5Q==:'],
    ['right in one algorithm and wrong in another', `${sha256}, sha-512=:AAAA:`],
    ['cut short', 'sha-256=:RK/0qy18:'],
    ['endless', `${sha256}, ${'a=1, '.repeat(400)}b=1`],
  ])('a Content-Digest is refused when it is %s', (_name, field) => {
    expect(check(field)).toBe('invalid_signature')
  })
})

const ed25519 = ed25519Key()
const p256 = p256Key()
const jwks = [ed25519, p256].map(({ jwk, kid }) => ({ ...jwk, kid }))
const body = Buffer.from('{"items":[]}')
const request = { method: 'GET', url: 'https://shop.example/.well-known/oid4ac-catalog?page=2' }
const answer = { status: 200, contentType: 'application/json', body, request, now: NOW, tag: 'catalog' }
const signed = (key: TestKey, more: Partial<typeof answer> = {}) =>
  new Headers({ 'content-type': 'application/json', ...signResponse({ ...answer, key, ...more }) })
const expected = (headers: Headers) => ({ status: 200, headers, body, request, jwks, now: NOW, tag: 'catalog' })
const later = (seconds: number) => ({ now: new Date(NOW.getTime() + seconds * 1_000) })

async function outcome(headers: Headers, more: Partial<ResponseVerification> = {}): Promise<string> {
  try {
    await verifyResponse({ ...expected(headers), ...more })
    return 'accepted'
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    expect(error.message).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    return error.code
  }
}

describe('a signed response', () => {
  test.each([
    ['ed25519', ed25519],
    ['ecdsa-p256-sha256', p256],
  ])('a signed response is accepted with %s', async (alg, key) => {
    const headers = signed(key)
    expect(headers.get('signature-input')).toBe(
      `sig1=("@status" "content-type" "content-digest" "@authority";req "@path";req);created=${NOW_SECONDS};expires=${NOW_SECONDS + 300};keyid="${key.kid}";alg="${alg}";tag="catalog"`,
    )
    const times = { created: NOW, expires: new Date(NOW.getTime() + 300_000) }
    expect(await verifyResponse(expected(headers))).toEqual({ keyid: key.kid, ...times })
  })

  test('a signed response is accepted while its time lasts, and a clock may run a minute slow', async () => {
    expect(await outcome(signed(ed25519), later(299))).toBe('accepted')
    expect(await outcome(signed(ed25519), later(-60))).toBe('accepted')
    expect(await outcome(signed(ed25519), later(300))).toBe('invalid_signature')
    expect(await outcome(signed(ed25519), later(-61))).toBe('invalid_signature')
  })

  test.each<[string, Partial<ResponseVerification>]>([
    ['status', { status: 203 }],
    ['body', { body: Buffer.from('{"items":[1]}') }],
    ['path', { request: { ...request, url: 'https://shop.example/other' } }],
    ['host', { request: { ...request, url: 'https://evil.example/.well-known/oid4ac-catalog' } }],
    ['tag', { tag: 'another' }],
    ['key set', { jwks: [] }],
    ['key under its kid', { jwks: [{ ...ed25519Key().jwk, kid: ed25519.kid }] }],
    ['key type under its kid', { jwks: [{ ...p256.jwk, kid: ed25519.kid }] }],
  ])('a signed response is refused with another %s', async (_name, more) => {
    expect(await outcome(signed(ed25519), more)).toBe('invalid_signature')
  })

  test('a signed response is refused with another content type', async () => {
    const headers = signed(ed25519)
    headers.set('content-type', 'text/html')
    expect(await outcome(headers)).toBe('invalid_signature')
  })

  test.each(['signature', 'signature-input', 'content-digest', 'content-type'])(
    'a signed response is refused without %s',
    async (name) => {
      const headers = signed(ed25519)
      headers.delete(name)
      expect(await outcome(headers)).toBe('invalid_signature')
    },
  )

  test.each([
    ['an alg that is not the key`s', (text: string) => text.replace('alg="ed25519"', 'alg="ecdsa-p256-sha256"')],
    ['an alg outside the list', (text: string) => text.replace('alg="ed25519"', 'alg="hmac-sha256"')],
    ['fewer components', (text: string) => text.replace(' "@path";req', '')],
    ['another order', (text: string) => text.replace('"@status" "content-type"', '"content-type" "@status"')],
    ['a longer life', (text: string) => text.replace(/expires=\d+/, `expires=${NOW_SECONDS + 301}`)],
    ['no expiry', (text: string) => text.replace(/;expires=\d+/, '')],
    ['no keyid', (text: string) => text.replace(/;keyid="[^"]+"/, '')],
    ['garbage', () => '((('],
    ['an endless field', (text: string) => `${text};x="${'a'.repeat(4_096)}"`],
  ])('a signed response is refused when its input is rewritten with %s', async (_name, rewrite) => {
    const headers = signed(ed25519)
    headers.set('signature-input', rewrite(headers.get('signature-input') ?? ''))
    expect(await outcome(headers)).toBe('invalid_signature')
  })

  test('a signed response is refused when its signer grants it a longer life', async () => {
    const created = NOW_SECONDS
    const digest = contentDigest(body)
    const components = ['@status', 'content-type', 'content-digest'].map((name) => ({ name, parameters: {} }))
    const ofRequest = ['@authority', '@path'].map((name) => ({ name, parameters: { req: true } }))
    const fields = [
      { name: 'content-type', value: 'application/json' },
      { name: 'content-digest', value: digest },
    ]
    const asked = { kind: 'request', method: 'GET', targetUri: request.url, fields: [] } as const
    const attempt = (expires: number) => {
      const { signature, signatureInput } = createSignatureSync(
        { kind: 'response', status: 200, fields, request: asked },
        {
          components: [...components, ...ofRequest],
          parameters: { created, expires, keyid: ed25519.kid, tag: 'catalog' },
          signer: { algorithm: 'ed25519', sign: (data) => signBytes(data, ed25519.privateKey) },
        },
      )
      return outcome(
        new Headers([
          ...fields.map(({ name, value }): [string, string] => [name, value]),
          ['signature', signature],
          ['signature-input', signatureInput],
        ]),
      )
    }
    expect(await attempt(created + 300)).toBe('accepted')
    expect(await attempt(created + 301)).toBe('invalid_signature')
    expect(await attempt(created)).toBe('invalid_signature')
  })
})
