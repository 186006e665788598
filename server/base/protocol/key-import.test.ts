import { describe, expect, test } from 'vitest'
import { parsePublicJwk } from './jwk'
import { importKey, thumbprintOf } from './key-import'
import { ed25519Key, laterCodeOf } from './test-support'

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

describe('thumbprints', () => {
  test('thumbprints are those of RFC 7638 section 3.1, RFC 8037 appendix A.3 and RFC 9449 section 6.1', async () => {
    expect(await thumbprintOf(RSA_JWK)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
    expect(await thumbprintOf(parsePublicJwk(ED25519_JWK))).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
    expect(await thumbprintOf(parsePublicJwk(P256_JWK))).toBe('0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I')
  })
})

describe('a public key', () => {
  test('a public key is refused when its point is not on the curve', async () => {
    const key = parsePublicJwk({ ...P256_JWK, y: P256_JWK.x })
    expect(await laterCodeOf(() => importKey(key))).toBe('malformed')
  })

  test('a public key is imported once under any kid, and verifies', async () => {
    const { kid, jwk, publicKey } = ed25519Key()
    const imported = await importKey(jwk)
    expect(await importKey({ ...jwk, kid: 'another name' })).toBe(imported)
    expect(imported.thumbprint).toBe(kid)
    expect(imported.key.equals(publicKey)).toBe(true)
  })
})
