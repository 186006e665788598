import { describe, expect, test } from 'vitest'
import { encodeBase64url } from './encoding'
import { parsePublicJwk } from './jwk'
import { codeOf, without } from './test-support'

/** RFC 8037 appendix A.2. */
const ED25519_JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
const P256_JWK = {
  kty: 'EC',
  crv: 'P-256',
  x: 'l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs',
  y: '9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA',
}
/** RFC 7638 section 3.1. */
const RSA_JWK = {
  kty: 'RSA',
  n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
  e: 'AQAB',
  alg: 'RS256',
  kid: '2011-04-29',
} as const

describe('a public key', () => {
  test('a public key keeps kid, use and alg, and drops what is unknown', () => {
    const labels = { kid: 'a', use: 'sig', alg: 'Ed25519' }
    expect(parsePublicJwk({ ...ED25519_JWK, ...labels, ext: true, key_ops: ['verify'], y: 'ignored' })).toEqual({
      ...ED25519_JWK,
      ...labels,
    })
    expect(parsePublicJwk(P256_JWK)).toEqual(P256_JWK)
  })

  test.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])(
    'a public key is refused with the private member %s',
    (member) => {
      expect(codeOf(() => parsePublicJwk({ ...ED25519_JWK, [member]: 'AA' }))).toBe('malformed')
      expect(codeOf(() => parsePublicJwk({ ...P256_JWK, [member]: null }))).toBe('malformed')
    },
  )

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an array', [ED25519_JWK]],
    ['a string', JSON.stringify(ED25519_JWK)],
    ['X25519', { ...ED25519_JWK, crv: 'X25519' }],
    ['Ed448', { kty: 'OKP', crv: 'Ed448', x: encodeBase64url(Buffer.alloc(57, 1)) }],
    [
      'P-384',
      { kty: 'EC', crv: 'P-384', x: encodeBase64url(Buffer.alloc(48, 1)), y: encodeBase64url(Buffer.alloc(48, 1)) },
    ],
    ['secp256k1', { ...P256_JWK, crv: 'secp256k1' }],
    ['an Ed25519 curve in an EC key', { ...P256_JWK, crv: 'Ed25519' }],
    ['oct', { kty: 'oct' }],
    ['RSA', RSA_JWK],
    ['no kty', without(ED25519_JWK, 'kty')],
    ['no x', without(ED25519_JWK, 'x')],
    ['no y', without(P256_JWK, 'y')],
    ['a number as x', { ...ED25519_JWK, x: 1 }],
    ['a padded x', { ...ED25519_JWK, x: `${ED25519_JWK.x}=` }],
    ['an x with stray bits', { ...ED25519_JWK, x: ED25519_JWK.x.replace(/o$/, 'p') }],
    ['a short x', { ...P256_JWK, x: encodeBase64url(Buffer.alloc(31, 1)) }],
    ['a long x', { ...P256_JWK, x: encodeBase64url(Buffer.alloc(33, 1)) }],
    ['an encryption key', { ...P256_JWK, use: 'enc' }],
    ['the alg of another type', { ...P256_JWK, alg: 'EdDSA' }],
    ['an empty kid', { ...P256_JWK, kid: '' }],
    ['a number as kid', { ...P256_JWK, kid: 7 }],
    ['an endless kid', { ...P256_JWK, kid: 'k'.repeat(257) }],
  ])('a public key is refused when it is %s', (_name, value) => {
    expect(codeOf(() => parsePublicJwk(value))).toBe('malformed')
  })

  test.each([
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ])('a public key is refused when it is the Ed25519 point %s, of small order or written twice', (hex) => {
    expect(codeOf(() => parsePublicJwk({ ...ED25519_JWK, x: encodeBase64url(Buffer.from(hex, 'hex')) }))).toBe(
      'malformed',
    )
  })
})
