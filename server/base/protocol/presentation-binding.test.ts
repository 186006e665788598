import { describe, expect, test } from 'vitest'
import { encodeBase64url, sha256Base64url } from './encoding'
import { parsePresentation } from './presentation'
import {
  ATTESTATION,
  codeOf,
  ed25519Key,
  NOW_SECONDS,
  type PresentationDraft,
  present,
  presentationVerifier,
  rawJws,
} from './test-support'

const { edKeys, ecKeys, binding, verify, outcome, draftOutcome } = presentationVerifier(['EdDSA', 'ES256'])

describe('key binding', () => {
  const other = ed25519Key()
  test.each<[string, PresentationDraft, string]>([
    ['no KB-JWT', { binding: null }, 'holder_binding_missing'],
    ['no cnf', { claims: { cnf: undefined } }, 'holder_binding_missing'],
    ['no cnf.jwk', { claims: { cnf: { jkt: edKeys.holder.kid } } }, 'holder_binding_missing'],
    ['a cnf that is a text', { claims: { cnf: 'x' } }, 'holder_binding_missing'],
    ['a private key in cnf', { claims: { cnf: { jwk: { ...edKeys.holder.jwk, d: 'AA' } } } }, 'vp_token_invalid'],
    ['another holder', { holder: other, claims: { cnf: { jwk: edKeys.holder.jwk } } }, 'vp_token_invalid'],
    ['aud of another verifier', { binding: { aud: 'https://other.example' } }, 'audience_mismatch'],
    ['aud with a slash more', { binding: { aud: `${ATTESTATION.audience}/` } }, 'audience_mismatch'],
    ['aud in an array', { binding: { aud: [ATTESTATION.audience] } }, 'audience_mismatch'],
    ['no aud', { binding: { aud: undefined } }, 'audience_mismatch'],
    ['another nonce', { binding: { nonce: 'nonce-2' } }, 'nonce_mismatch'],
    ['no nonce', { binding: { nonce: undefined } }, 'nonce_mismatch'],
    ['a nonce that is a number', { binding: { nonce: 1 } }, 'nonce_mismatch'],
    ['iat 300 s ago', { binding: { iat: NOW_SECONDS - 300 } }, 'accepted'],
    ['iat 301 s ago', { binding: { iat: NOW_SECONDS - 301 } }, 'vp_token_invalid'],
    ['iat 60 s ahead', { binding: { iat: NOW_SECONDS + 60 } }, 'accepted'],
    ['iat 61 s ahead', { binding: { iat: NOW_SECONDS + 61 } }, 'vp_token_invalid'],
    ['no iat', { binding: { iat: undefined } }, 'vp_token_invalid'],
    ['an exp that passed', { binding: { exp: NOW_SECONDS } }, 'vp_token_invalid'],
    ['another sd_hash', { binding: { sd_hash: sha256Base64url('x') } }, 'vp_token_invalid'],
    ['no sd_hash', { binding: { sd_hash: undefined } }, 'vp_token_invalid'],
    ['another typ', { bindingHeader: { typ: 'JWT' } }, 'vp_token_invalid'],
    ['no typ', { bindingHeader: { typ: undefined } }, 'vp_token_invalid'],
    ['alg none', { bindingHeader: { alg: 'none' } }, 'vp_token_invalid'],
    ['an alg of another key', { bindingHeader: { alg: 'ES256' } }, 'vp_token_invalid'],
    ['hashes that are no array', { binding: { transaction_data_hashes: 'x' } }, 'vp_token_invalid'],
    ['no hashes in their array', { binding: { transaction_data_hashes: [] } }, 'vp_token_invalid'],
  ])('D6 %s', async (_, draft, code) => {
    expect(await draftOutcome(draft)).toBe(code)
  })

  test('D1 the algs of the issuer hold for the key binding too', async () => {
    const mixed = present({ issuerKey: ecKeys.issuerKey, holder: edKeys.holder })
    expect(await outcome(mixed, { algorithms: ['ES256'] })).toBe('vp_token_invalid')
    expect(await outcome(mixed, { algorithms: ['ES256', 'EdDSA'] })).toBe('accepted')
  })

  test('D6 a key binding for another selection of disclosures is vp_token_invalid', async () => {
    const [jwt, disclosure, bound] = present(edKeys).split('~')
    expect(await outcome([jwt, bound].join('~'))).toBe('vp_token_invalid')
    expect(await outcome([jwt, disclosure, bound].join('~'))).toBe('accepted')
  })

  test('D6 a holder with another key than the jkt asks for is holder_binding_missing', async () => {
    const compact = present(edKeys)
    expect(await outcome(compact, { binding: { ...binding, jkt: other.kid } })).toBe('holder_binding_missing')
    expect(await outcome(compact, { binding: { ...binding, jkt: edKeys.holder.kid } })).toBe('accepted')
  })

  test('D5 without an expected nonce any but an empty one passes', async () => {
    const free = { binding: { ...binding, nonce: null } }
    expect(await outcome(present(edKeys, { binding: { nonce: 'any' } }), free)).toBe('accepted')
    expect(await outcome(present(edKeys, { binding: { nonce: '' } }), free)).toBe('nonce_mismatch')
  })

  test('D10 the hashes of the transaction data are required and must be right', async () => {
    const transactionData = [encodeBase64url('{"type":"a"}'), encodeBase64url('{"type":"b"}')]
    const hashes = transactionData.map((text) => sha256Base64url(text))
    const withHashes = (transaction_data_hashes?: unknown, more: object = {}) =>
      outcome(present(edKeys, { binding: { transaction_data_hashes, ...more } }), {
        binding: { ...binding, transactionData },
      })
    expect(await withHashes(hashes)).toBe('accepted')
    expect(await withHashes(hashes, { transaction_data_hashes_alg: 'sha-256' })).toBe('accepted')
    expect(await withHashes()).toBe('vp_token_invalid')
    expect(await withHashes(hashes.slice(1))).toBe('vp_token_invalid')
    expect(await withHashes(hashes.toReversed())).toBe('vp_token_invalid')
    expect(await withHashes([...hashes, hashes[0]])).toBe('vp_token_invalid')
    expect(await withHashes(transactionData)).toBe('vp_token_invalid')
    expect(await withHashes(hashes, { transaction_data_hashes_alg: 'sha-512' })).toBe('vp_token_invalid')
  })

  test('D4 the hashes of transaction data are returned where none are expected', async () => {
    const transaction_data_hashes = [sha256Base64url('x')]
    const { transactionDataHashes } = await verify(present(edKeys, { binding: { transaction_data_hashes } }))
    expect(transactionDataHashes).toEqual(transaction_data_hashes)
  })
})

describe('order', () => {
  const spoilt = { aud: 'x', nonce: 'x', sd_hash: 'x', iat: NOW_SECONDS }
  const revoked = { exp: 1, nbf: NOW_SECONDS + 999 }

  test('D6 issuer signature, disclosures, times, holder, signature, aud, nonce, sd_hash', async () => {
    const hidden = { _sd: [] }
    const codes = [
      await draftOutcome({ claims: { ...revoked, ...hidden }, binding: spoilt }),
      await draftOutcome({ claims: revoked, binding: null }),
      await draftOutcome({ claims: { exp: 1 }, binding: spoilt }),
      await draftOutcome({ binding: spoilt, bindingHeader: { typ: 'x' } }),
      await draftOutcome({ binding: spoilt }),
      await draftOutcome({ binding: { ...spoilt, aud: ATTESTATION.audience } }),
      await draftOutcome({ binding: { sd_hash: 'x' } }),
    ]
    expect(codes).toEqual([
      'vp_token_invalid',
      'presentation_expired',
      'presentation_expired',
      'vp_token_invalid',
      'audience_mismatch',
      'nonce_mismatch',
      'vp_token_invalid',
    ])
  })

  test('an issuer header or payload that is no JSON object is vp_token_invalid', () => {
    const odd = [rawJws('[]', {}, edKeys.issuerKey), rawJws({ alg: 'EdDSA', typ: 'dc+sd-jwt' }, '1', edKeys.issuerKey)]
    for (const jws of odd) expect(codeOf(() => parsePresentation(`${jws}~`))).toBe('vp_token_invalid')
  })
})
