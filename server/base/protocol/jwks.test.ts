import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseJwks } from './jwks'
import { ed25519Key, laterCodeOf, p256Key } from './test-support'

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

describe('a registered key set', () => {
  test('a registered key set holds 1 to 10 keys of the accepted types', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => ({
      ...(index % 2 ? ed25519Key() : p256Key()).jwk,
      kid: `k${index}`,
    }))
    expect(await parseJwks({ keys })).toEqual(keys)
    expect(await parseJwks({ keys: [ED25519_JWK], extra: 1 })).toEqual([ED25519_JWK])
  })

  test.each([
    ['nothing', undefined],
    ['an array', [ED25519_JWK]],
    ['no keys', {}],
    ['keys that are no array', { keys: ED25519_JWK }],
    ['an empty set', { keys: [] }],
    ['eleven keys', { keys: Array.from({ length: 11 }, () => ED25519_JWK) }],
    [
      'one kid twice',
      {
        keys: [
          { ...ED25519_JWK, kid: 'a' },
          { ...P256_JWK, kid: 'a' },
        ],
      },
    ],
    ['a private key', { keys: [{ ...ED25519_JWK, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' }] }],
    ['an oct key', { keys: [{ kty: 'oct', k: 'AAAA' }] }],
    ['an RSA key', { keys: [RSA_JWK] }],
    ['an X25519 key', { keys: [{ ...ED25519_JWK, crv: 'X25519' }] }],
    ['an encryption key', { keys: [{ ...P256_JWK, use: 'enc' }] }],
    ['a point off the curve', { keys: [{ ...P256_JWK, y: P256_JWK.x }] }],
  ])('a registered key set is refused when it is %s', async (_name, value) => {
    expect(await laterCodeOf(() => parseJwks(value))).toBe('invalid_client_metadata')
  })

  test('a registered key set takes RSA of 2048 bits or more while the legacy window is open', async () => {
    expect(await parseJwks({ keys: [RSA_JWK] }, { allowRsa: true })).toEqual([RSA_JWK])
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    expect(await laterCodeOf(() => parseJwks({ keys: [short] }, { allowRsa: true }))).toBe('invalid_client_metadata')
    expect(await laterCodeOf(() => parseJwks({ keys: [{ ...RSA_JWK, e: 'AQ' }] }, { allowRsa: true }))).toBe(
      'invalid_client_metadata',
    )
    expect(
      await laterCodeOf(() => parseJwks({ keys: [{ ...RSA_JWK, n: `AA${RSA_JWK.n}` }] }, { allowRsa: true })),
    ).toBe('invalid_client_metadata')
  })
})
