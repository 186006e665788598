import { describe, expect, test } from 'vitest'
import { createCredentialNonce, findNonceEnd } from './credential-nonce'
import { verifyCredentialProof } from './credential-proof'
import { thumbprintOf } from './key-import'
import { ed25519Key, laterCodeOf, NOW, NOW_SECONDS, p256Key, rawJws } from './test-support'

const ISSUER = 'https://pay.example.com'
const key = ed25519Key()
const HEADER = { alg: 'EdDSA', typ: 'openid4vci-proof+jwt', jwk: key.jwk }
const CLAIMS = { aud: ISSUER, iat: NOW_SECONDS, nonce: 'n' }

const check = (jwt: string) =>
  verifyCredentialProof(jwt, { issuer: ISSUER, now: NOW, isNonceValid: (nonce) => nonce === 'n' })
const codeOf = (header: object, claims: object = CLAIMS, signer = key) =>
  laterCodeOf(() => check(rawJws(header, claims, signer)))

describe('an accepted proof', () => {
  test('C9 gives the key without labels, its thumbprint and the nonce', async () => {
    const jwk = { ...key.jwk, kid: 'mine', use: 'sig', alg: 'EdDSA' }
    const { kty, crv, x } = key.jwk as { kty: string; crv: string; x: string }
    const proof = await check(rawJws({ ...HEADER, jwk }, CLAIMS, key))
    expect(proof).toEqual({ jwk: { kty, crv, x }, jkt: await thumbprintOf(key.jwk), nonce: 'n' })
  })

  test.each([
    ['alg Ed25519', { ...HEADER, alg: 'Ed25519' }, CLAIMS],
    ['an unknown header member', { ...HEADER, key_attestation: 'x' }, CLAIMS],
    ['an unknown claim', HEADER, { ...CLAIMS, foo: 1 }],
    ['iat 300 seconds ago', HEADER, { ...CLAIMS, iat: NOW_SECONDS - 300 }],
    ['iat in 60 seconds', HEADER, { ...CLAIMS, iat: NOW_SECONDS + 60 }],
    ['exp and nbf around now', HEADER, { ...CLAIMS, nbf: NOW_SECONDS, exp: NOW_SECONDS + 1 }],
  ])('C9 may have %s', async (_what, header, claims) => {
    expect(await codeOf(header, claims)).toBe('accepted')
  })
})

describe('a refused proof', () => {
  const { jwk: _jwk, ...noKey } = HEADER
  const other = ed25519Key()
  test.each([
    ['no jwk', noKey],
    ['kid in place of jwk', { ...noKey, kid: 'did:example:1#0' }],
    ['x5c in place of jwk', { ...noKey, x5c: ['AA'] }],
    ['kid beside jwk', { ...HEADER, kid: 'k' }],
    ['x5c beside jwk', { ...HEADER, x5c: ['AA'] }],
    ['crit', { ...HEADER, crit: ['exp'] }],
    ['no typ', { ...HEADER, typ: undefined }],
    ['another typ', { ...HEADER, typ: 'JWT' }],
    ['alg none', { ...HEADER, alg: 'none' }],
    ['alg HS256', { ...HEADER, alg: 'HS256' }],
    ['a lying alg', { ...HEADER, alg: 'ES256' }],
    ['a private key', { ...HEADER, jwk: { ...key.jwk, d: 'AA' } }],
    ['the key of another', { ...HEADER, jwk: other.jwk }],
    ['a key that is a text', { ...HEADER, jwk: 'x' }],
  ])('C9 has %s', async (_what, header) => {
    expect(await codeOf(header)).toBe('invalid_proof')
  })

  test('C9 is signed with a P-256 key', async () => {
    const ec = p256Key()
    expect(await codeOf({ ...HEADER, alg: 'ES256', jwk: ec.jwk }, CLAIMS, ec)).toBe('invalid_proof')
  })

  test.each([
    ['no aud', { aud: undefined }],
    ['an array as aud', { aud: [ISSUER] }],
    ['another aud', { aud: `${ISSUER}/` }],
    ['an iss', { iss: 'wallet' }],
    ['no iat', { iat: undefined }],
    ['iat as text', { iat: String(NOW_SECONDS) }],
    ['iat 301 seconds ago', { iat: NOW_SECONDS - 301 }],
    ['iat in 61 seconds', { iat: NOW_SECONDS + 61 }],
    ['exp now', { exp: NOW_SECONDS }],
    ['nbf in two minutes', { nbf: NOW_SECONDS + 120 }],
    ['no nonce', { nonce: undefined }],
    ['an empty nonce', { nonce: '' }],
    ['a nonce that is a number', { nonce: 7 }],
  ])('C9 has %s', async (_what, claims) => {
    expect(await codeOf(HEADER, { ...CLAIMS, ...claims })).toBe('invalid_proof')
  })

  test('C6 has a nonce that is not known', async () => {
    expect(await codeOf(HEADER, { ...CLAIMS, nonce: 'other' })).toBe('invalid_nonce')
    expect(await codeOf(HEADER, { ...CLAIMS, nonce: 'x'.repeat(513) })).toBe('invalid_nonce')
  })

  test('C9 is no JWT, or too long', async () => {
    expect(await laterCodeOf(() => check('a.b'))).toBe('invalid_proof')
    expect(await codeOf({ ...HEADER, pad: 'x'.repeat(9_000) })).toBe('invalid_proof')
  })
})

describe('a nonce', () => {
  const [secret, older] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const nonce = createCredentialNonce(older, Buffer.alloc(16, 3), NOW)

  test('C6 lives 300 seconds under any of the secrets', () => {
    expect(findNonceEnd(nonce, [secret, older], NOW)).toEqual(new Date(NOW.getTime() + 300_000))
    expect(findNonceEnd(nonce, [older], new Date(NOW.getTime() + 299_000))).not.toBeNull()
    expect(findNonceEnd(nonce, [older], new Date(NOW.getTime() + 300_000))).toBeNull()
    expect(findNonceEnd(nonce, [secret], NOW)).toBeNull()
  })

  test('C6 cannot be changed or made up', () => {
    const bytes = Buffer.from(nonce, 'base64url')
    for (const at of [0, 16, 21, 22, 53]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(findNonceEnd(changed.toString('base64url'), [older], NOW)).toBeNull()
    }
    for (const text of ['', 'x', `${nonce}=`, bytes.subarray(1).toString('base64url'), 'é']) {
      expect(findNonceEnd(text, [older], NOW)).toBeNull()
    }
  })
})
