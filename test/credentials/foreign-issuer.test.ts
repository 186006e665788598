/** What other tests rely on: the foreign issuer issues and presents as the standards say. */
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyCertificateChain } from '@/server/base/protocol/certificate-chain'
import { sha256Base64url } from '@/server/base/protocol/encoding'
import { parseDisclosures, processSdJwt, splitSdJwt } from '@/server/base/protocol/sd-jwt'
import { newKey } from '../support/actors'
import { type ForeignIssuer, startForeignIssuer } from './foreign-issuer'

let foreign: ForeignIssuer
beforeAll(async () => {
  foreign = await startForeignIssuer()
})
afterAll(() => foreign.close())

const vct = 'https://types.example/person'

describe('the foreign issuer of the tests', () => {
  test.each(['ES256', 'EdDSA'] as const)('issues and presents with %s what our own modules take', async (alg) => {
    const holder = await newKey(alg)
    const claims = { given_name: 'Ada', family_name: 'Lovelace' }
    const issued = await foreign.issue({ vct, claims, holder, alg, status: 3 })
    const compact = await foreign.present(issued, { holder, aud: 'x', nonce: 'n', disclose: ['given_name'] })
    const { issuerJwt, disclosures, keyBindingJwt, boundText } = splitSdJwt(compact)
    const { kid } = decodeProtectedHeader(issuerJwt)
    const jwk = foreign.jwks.keys.find((key) => key.kid === kid)
    const { payload } = await jwtVerify(issuerJwt, await importJWK(jwk ?? {}, alg), { typ: 'dc+sd-jwt' })
    expect(processSdJwt({ payload, disclosures: parseDisclosures(disclosures), plainOnly: [] }).payload).toEqual({
      iss: foreign.issuer,
      iat: expect.any(Number),
      vct,
      cnf: { jwk: holder.jwk },
      status: { status_list: { idx: 3, uri: foreign.statusUri } },
      given_name: 'Ada',
    })
    const binding = await jwtVerify(keyBindingJwt ?? '', holder.publicKey, { typ: 'kb+jwt' })
    expect(binding.payload).toMatchObject({ aud: 'x', nonce: 'n', sd_hash: sha256Base64url(boundText) })
  })

  test('signs with the leaf of its chain when it is told to', async () => {
    const { root, x5c } = foreign.chain
    const [issuerJwt = ''] = (await foreign.issue({ vct, x5c })).split('~')
    const { x5c: sent, kid } = decodeProtectedHeader(issuerJwt)
    expect([sent, kid]).toEqual([x5c, undefined])
    const key = verifyCertificateChain(x5c, { roots: [root.base64], host: '127.0.0.1', now: new Date() })
    expect((await jwtVerify(issuerJwt, key)).payload['vct']).toBe(vct)
  })

  test('hashes transaction data as the texts that they came in', async () => {
    const holder = await newKey('ES256')
    const issued = await foreign.issue({ vct, holder })
    const compact = await foreign.present(issued, { holder, aud: 'x', nonce: 'n', transactionData: ['e30'] })
    expect(decodeJwt(compact.split('~').at(-1) ?? '')).toMatchObject({
      transaction_data_hashes: [sha256Base64url('e30')],
      transaction_data_hashes_alg: 'sha-256',
    })
  })
})
