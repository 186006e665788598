import { describe, expect, test } from 'vitest'
import { keyFitsAlgorithm, parseIssuerMetadata, parsePublishedKeys, pickKey } from './issuer-keys'
import { codeOf, ed25519Key, p256Key } from './test-support'

const ISSUER = 'https://issuer.example/tenant'
const [ec, ed] = [p256Key(), ed25519Key()]
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
const metadata = (more: object) => parseIssuerMetadata(bytes({ issuer: ISSUER, ...more }), ISSUER)

describe('the metadata of an issuer', () => {
  test('the metadata has keys, or says where they are', () => {
    expect(metadata({ jwks: { keys: [ec.jwk] } })).toEqual({ keys: [ec.jwk] })
    expect(metadata({ jwks_uri: 'https://issuer.example/jwks' })).toEqual({ jwksUri: 'https://issuer.example/jwks' })
  })

  test.each([
    ['neither', {}],
    ['both', { jwks: { keys: [] }, jwks_uri: 'https://issuer.example/jwks' }],
    ['another issuer', { issuer: 'https://issuer.example/', jwks: { keys: [] } }],
    ['keys that are no set', { jwks: [] }],
    ['too many keys', { jwks: { keys: Array.from({ length: 101 }, () => ec.jwk) } }],
    ['an address that is no text', { jwks_uri: ['https://issuer.example/jwks'] }],
  ])('the metadata with %s is refused', (_what, more) => {
    expect(codeOf(() => metadata(more))).toBe('malformed')
  })

  test('keys that are not understood are passed over, also private ones', () => {
    const others = [null, 1, {}, { kty: 'RSA' }, { ...ed.jwk, d: 'AAAA' }, { ...ec.jwk, use: 'enc' }]
    expect(parsePublishedKeys(bytes({ keys: [...others, ed.jwk] }))).toEqual([ed.jwk])
    expect(codeOf(() => parsePublishedKeys(bytes([ed.jwk])))).toBe('malformed')
  })
})

describe('the key of a JWT', () => {
  const named = [
    { ...ec.jwk, kid: 'a' },
    { ...ed.jwk, kid: 'b' },
  ]

  test('the key is the one of the kid, when it fits the alg', () => {
    expect(pickKey(named, { alg: 'ES256', kid: 'a' })).toBe(named[0])
    expect(pickKey(named, { alg: 'Ed25519', kid: 'b' })).toBe(named[1])
    expect(pickKey(named, { alg: 'EdDSA', kid: 'a' })).toBeNull()
    expect(pickKey(named, { alg: 'ES256' })).toBeNull()
  })

  test('a JWT without kid has the one key without', () => {
    expect(pickKey([ec.jwk, ...named], { alg: 'ES256' })).toBe(ec.jwk)
    expect(pickKey([ec.jwk, p256Key().jwk], { alg: 'ES256' })).toBeNull()
    expect(pickKey([ec.jwk], { alg: 'ES256', kid: 'a' })).toBeNull()
  })

  test('a kid that two keys have names neither', () => {
    expect(pickKey([...named, { ...p256Key().jwk, kid: 'a' }], { alg: 'ES256', kid: 'a' })).toBeNull()
  })

  test('a key without a JWK fits the algorithms of its type', () => {
    const fits = (alg: string) => [keyFitsAlgorithm(ec.publicKey, alg), keyFitsAlgorithm(ed.publicKey, alg)]
    expect([fits('ES256'), fits('EdDSA'), fits('Ed25519'), fits('none')]).toEqual([
      [true, false],
      [false, true],
      [false, true],
      [false, false],
    ])
  })
})
