/** Our verifier beside @sd-jwt/sd-jwt-vc 0.19.0: it takes what that issues, and refuses more. */
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePresentation, verifyPresentation } from '@/server/base/protocol/presentation'
import {
  ATTESTATION,
  digestOf,
  disclose,
  ed25519Key,
  laterCodeOf,
  NOW,
  NOW_SECONDS,
  type PresentationDraft,
  p256Key,
  present,
  type TestKey,
} from '@/server/base/protocol/test-support'
import { type SigningPair, secondVerifier } from './second-verifier'

const pairOf = ({ privateKey, publicKey, jwk }: TestKey): SigningPair => ({
  privateKey,
  publicKey,
  alg: jwk.kty === 'EC' ? 'ES256' : 'EdDSA',
})
const verifyOurs = async (compact: string, issuerKey: TestKey) =>
  verifyPresentation(parsePresentation(compact), {
    algorithms: ['ES256', 'EdDSA'],
    findKey: () => Promise.resolve(issuerKey.publicKey),
    binding: { audiences: [ATTESTATION.audience], nonce: ATTESTATION.nonce, jkt: null },
    now: NOW,
  })
const keys = { issuerKey: p256Key(), holder: p256Key() }
const library = secondVerifier(pairOf(keys.issuerKey), pairOf(keys.holder))
const libraryOptions = { keyBindingNonce: ATTESTATION.nonce, currentDate: NOW_SECONDS }
const libraryTakes = (compact: string) =>
  library.verify(compact, libraryOptions).then(
    () => true,
    () => false,
  )

describe('beside @sd-jwt/sd-jwt-vc', () => {
  const claims = fc.dictionary(
    fc
      .stringMatching(/^[a-z]{3,12}$/)
      .filter((name) => !['iss', 'exp', 'nbf', 'cnf', 'vct', 'iat', 'sub', 'aud'].includes(name)),
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 4 }),
      fc.record({ a: fc.string() }),
    ),
    { minKeys: 1, maxKeys: 8 },
  )

  test.each([
    ['ES256', p256Key],
    ['EdDSA', ed25519Key],
  ])('both read the same in what it issues and presents with %s', async (_, newPair) => {
    const [issuerKey, holder] = [newPair(), newPair()]
    const instance = secondVerifier(pairOf(issuerKey), pairOf(holder))
    const property = fc.asyncProperty(
      claims,
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      async (all, choice) => {
        const names = Object.keys(all)
        const plain = { iss: ATTESTATION.issuer, vct: ATTESTATION.vct, iat: NOW_SECONDS, cnf: { jwk: holder.jwk } }
        const issued = await instance.issue({ ...plain, ...all }, { _sd: names } as never, { header: { kid: 'x' } })
        const shown = Object.fromEntries(names.filter((_name, index) => choice[index]).map((name) => [name, true]))
        const payload = { iat: NOW_SECONDS, aud: ATTESTATION.audience, nonce: ATTESTATION.nonce }
        const compact = await instance.present(issued, shown as never, { kb: { payload } })
        const theirs = await instance.verify(compact, libraryOptions)
        const { cnf: _cnf, ...said } = theirs.payload
        expect((await verifyOurs(compact, issuerKey)).claims).toEqual(said)
      },
    )
    await fc.assert(property, { seed: 20_261_128, numRuns: 100 })
  })

  const hidden = disclose(['salt', 'exp', NOW_SECONDS + 9])
  const unknown = disclose(['salt', 'admin', true])
  test.each<[string, string, PresentationDraft]>([
    ['RFC 9901 4.3: aud is a single string', 'audience_mismatch', { binding: { aud: [ATTESTATION.audience] } }],
    ['RFC 9901 7.3: aud is this verifier', 'audience_mismatch', { binding: { aud: 'https://other.example' } }],
    ['RFC 9901 7.3: iat is recent', 'vp_token_invalid', { binding: { iat: NOW_SECONDS - 86_400 * 365 } }],
    ['RFC 9901 7.1 (5): every disclosure is referred to', 'vp_token_invalid', { sent: [unknown], claims: { _sd: [] } }],
    ['RFC 9901 7.1 (3.c.ii.3): no claim is overridden', 'vp_token_invalid', { claims: { given_name: 'Eve' } }],
    [
      'SD-JWT VC 2.2.2.2: exp is never disclosed',
      'vp_token_invalid',
      { claims: { exp: undefined, _sd: [digestOf(hidden)] }, sent: [hidden] },
    ],
    ['SD-JWT VC 2.2.1: typ is dc+sd-jwt', 'vp_token_invalid', { header: { typ: 'JWT' } }],
    ['RFC 8725 3.1: alg is that of the key', 'vp_token_invalid', { header: { alg: 'EdDSA' } }],
    ['RFC 7515 4.1.11: crit is understood', 'vp_token_invalid', { header: { crit: ['unknown'] } }],
  ])('the library is laxer than %s', async (_, code, draft) => {
    const compact = present(keys, draft)
    expect(await libraryTakes(compact)).toBe(true)
    expect(await laterCodeOf(() => verifyOurs(compact, keys.issuerKey))).toBe(code)
  })

  test.each<[string, PresentationDraft]>([
    ['a wrong nonce', { binding: { nonce: 'x' } }],
    ['another selection', { binding: { sd_hash: createHash('sha256').update('x').digest('base64url') } }],
    ['an expired attestation', { claims: { exp: NOW_SECONDS - 1 } }],
    ['one that is not valid yet', { claims: { nbf: NOW_SECONDS + 999 } }],
    ['a key binding of another holder', { holder: p256Key(), claims: { cnf: { jwk: keys.holder.jwk } } }],
    ['another issuer', { issuerKey: p256Key() }],
  ])('both refuse %s', async (_, draft) => {
    const compact = present(keys, draft)
    expect(await libraryTakes(compact)).toBe(false)
    expect(await laterCodeOf(() => verifyOurs(compact, keys.issuerKey))).not.toBe('accepted')
  })
})
