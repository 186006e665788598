/** Decisions C3, C6, C10, D1 and D10 where two processes decide about one offer, one request or one list at once. */
import { inflateSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForeignIssuer, startForeignIssuer } from '../credentials/foreign-issuer'
import { credentialOf, decodeCredential, freshNonce, GRANT, newOffer, Wallet } from '../credentials/issuance-wallet'
import { encryptResponse, fetchRequest, postForm } from '../credentials/wallet'
import { type Answer, countStatuses, exchange, type Key, must, newKey } from '../support/actors'
import { at, type Cluster, createDatabase, many, query, startCluster } from './cluster'

const [A, B] = [0, 1]
const VCT = 'https://credentials.example/identity/1'
/** Each race is run so often, with the processes in both orders. */
const ROUNDS = 16

let databaseUrl: string
let cluster: Cluster
let issuer: ForeignIssuer
let holder: Key
beforeAll(async () => {
  databaseUrl = await createDatabase()
  cluster = await startCluster({ size: 2, databaseUrl })
  issuer = await startForeignIssuer()
  holder = await newKey('ES256')
})
afterAll(async () => {
  await issuer.close()
  await cluster.stop()
})

const sendAt = <T = Record<string, unknown>>(member: number, method: string, path: string, body?: unknown) =>
  exchange<T>(cluster.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${cluster.operatorToken}`,
      'content-type': 'application/json',
      ...at(member),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const trustAt = (member: number, issuers: readonly object[]) =>
  sendAt(member, 'PUT', '/operator/trust-lists/EU', { issuers })

describe('one code at two processes', () => {
  const countIssued = async () => {
    const [row] = await query<{ count: string }>(databaseUrl, 'SELECT count(*) AS count FROM issued_credentials')
    return Number(row?.count)
  }
  const newWallet = async () => {
    const wallet = await Wallet.open(cluster)
    // Its first token request is told the nonce for the proofs of the others.
    await wallet.token('unknown')
    return wallet
  }
  const tokenAt = (wallet: Wallet, code: string, member: number) =>
    wallet.sendToken({ grant_type: GRANT, 'pre-authorized_code': code }, at(member))
  const redeemAt = async (wallet: Wallet, code: string, member: number) => {
    const proof = { proof_type: 'jwt', jwt: await wallet.proof(await freshNonce(cluster)) }
    return wallet.request({ 'pre-authorized_code': code, proof }, at(member))
  }

  test('C10 redeemed on both paths at once it gives exactly one credential', async () => {
    const wallet = await newWallet()
    for (let round = 0; round < ROUNDS; round += 1) {
      const [{ code }, before] = [await newOffer(cluster), await countIssued()]
      const [token, direct] = await Promise.all([
        tokenAt(wallet, code, round % 2),
        redeemAt(wallet, code, (round + 1) % 2),
      ])
      expect(countStatuses([token, direct])).toEqual({ 200: 1, 400: 1 })
      const accessToken = token.json['access_token']
      if (accessToken !== undefined) must(await wallet.fetch(accessToken, 'service_age_verified_buyer'), 200)
      expect((await countIssued()) - before).toBe(1)
    }
  })

  test('C10 twice on both paths at once, one request wins, and no token outlives the second token request', async () => {
    const wallet = await newWallet()
    for (let round = 0; round < ROUNDS; round += 1) {
      const [{ code }, before] = [await newOffer(cluster), await countIssued()]
      const [one, other] = [round % 2, (round + 1) % 2]
      const answers = await Promise.all([
        tokenAt(wallet, code, one),
        redeemAt(wallet, code, other),
        tokenAt(wallet, code, other),
        redeemAt(wallet, code, one),
      ])
      expect(countStatuses(answers)).toEqual({ 200: 1, 400: 3 })
      const refused: Pick<Answer, 'status' | 'json'>[] = answers.filter(({ status }) => status === 400)
      expect(refused.map(({ json }) => json['error'])).toEqual(Array(3).fill('invalid_grant'))
      const accessToken = [answers[0], answers[2]].map(({ json }) => json['access_token']).find(Boolean)
      if (accessToken !== undefined) {
        expect((await wallet.fetch(accessToken, 'service_age_verified_buyer')).status).toBe(401)
      }
      expect((await countIssued()) - before).toBe(accessToken === undefined ? 1 : 0)
    }
  })

  test('C10 sixteen requests with one access token, over both processes, get one credential', async () => {
    const wallet = await newWallet()
    const { code } = await newOffer(cluster)
    const { access_token: token = '' } = must(await tokenAt(wallet, code, A), 200)
    const before = await countIssued()
    const answers = await many(16, async (index) => {
      const proofs = { jwt: [await wallet.proof(await freshNonce(cluster))] }
      const body = { credential_configuration_id: 'service_age_verified_buyer', proofs }
      return wallet.request(body, { ...(await wallet.withToken(token)), ...at(index % 2) })
    })
    expect(countStatuses(answers)).toEqual({ 200: 1, 400: 15 })
    expect((await countIssued()) - before).toBe(1)
  })

  test('C6 one nonce for sixteen codes over both processes is taken once', async () => {
    const wallet = await newWallet()
    const nonce = await freshNonce(cluster)
    const offers = await many(16, () => newOffer(cluster))
    const answers = await Promise.all(
      offers.map(async ({ code }, index) => {
        const proof = { proof_type: 'jwt', jwt: await wallet.proof(nonce) }
        return wallet.request({ 'pre-authorized_code': code, proof }, at(index % 2))
      }),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 400: 15 })
  })

  test('C5 five wrong transaction codes over both processes end the offer', async () => {
    const wallet = await newWallet()
    const offer = await newOffer(cluster, {
      credential_configuration_id: 'service_age_verified_buyer',
      subject: { age_equal_or_over: { 18: true } },
      tx_code: true,
    })
    const wrong = offer.tx_code === '000000' ? '000001' : '000000'
    const guess = (tx_code: string, member: number) =>
      wallet.sendToken({ grant_type: GRANT, 'pre-authorized_code': offer.code, tx_code }, at(member))
    await many(5, (index) => guess(wrong, index % 2))
    for (const member of [A, B]) expect((await guess(offer.tx_code ?? '', member)).json['error']).toBe('invalid_grant')
  })
})

describe('one presentation request at two processes', () => {
  test('D10 of sixteen responses over both processes one is taken, and both tell its outcome', async () => {
    must(await trustAt(A, [{ issuer: issuer.issuer, algs: ['ES256'] }]), 200)
    const credentials = [
      { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: [VCT] }, claims: [{ path: ['given_name'] }] },
    ]
    const body = { dcql_query: { credentials }, region: 'EU' }
    const request = must(await sendAt<{ deep_link: string }>(A, 'POST', '/eudiw/request', body), 200)
    const { claims } = await fetchRequest(request.deep_link)
    const responses = await many(16, async (index) => {
      const issued = await issuer.issue({ vct: VCT, claims: { given_name: `Ada ${index}` }, holder })
      const presented = await issuer.present(issued, { holder, aud: claims.client_id, nonce: claims.nonce })
      return encryptResponse(claims, { state: claims.state, vp_token: { pid: [presented] } })
    })
    const answers = await Promise.all(
      responses.map((response, index) => postForm(claims.response_uri, { response }, at(index % 2))),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 404: 15 })
    const winner = answers.findIndex(({ status }) => status === 200)
    for (const member of [A, B]) {
      const { json } = await sendAt(member, 'GET', new URL(claims.response_uri).pathname)
      expect(json).toMatchObject({ status: 'verified', result: { claims: { given_name: `Ada ${winner}` } } })
    }
  })

  test('D10 twenty unreadable responses over both processes end it', async () => {
    const credentials = [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: [VCT] } }]
    const request = must(
      await sendAt<{ deep_link: string }>(A, 'POST', '/eudiw/request', { dcql_query: { credentials } }),
      200,
    )
    const { claims } = await fetchRequest(request.deep_link)
    const answers = await many(24, (index) => postForm(claims.response_uri, { response: 'x' }, at(index % 2)))
    expect(countStatuses(answers)).toEqual({ 400: 20, 404: 4 })
    const { json } = await sendAt(B, 'GET', new URL(claims.response_uri).pathname)
    expect(json).toMatchObject({ status: 'rejected', error: 'invalid_request' })
  })
})

describe('what is changed at one process', () => {
  const verifyAt = async (member: number, compact: string) => {
    const body = { vp_token: { pid: [compact] }, presentation_submission: null, region: 'EU' }
    const { status, json } = await sendAt<{ error?: string }>(member, 'POST', '/eudiw/verify', body)
    return `${status} ${json.error ?? 'verified'}`
  }

  test('D1 a trust list that is changed at A holds at B at once', async () => {
    const issued = await issuer.issue({ vct: VCT, claims: { given_name: 'Ada' }, holder })
    const compact = await issuer.present(issued, { holder, aud: cluster.baseUrl, nonce: 'n' })
    const entry = { issuer: issuer.issuer, algs: ['ES256'] }
    for (let round = 0; round < ROUNDS; round += 1) {
      const [here, there] = [round % 2, (round + 1) % 2]
      must(await trustAt(here, [entry]), 200)
      expect(await verifyAt(there, compact)).toBe('200 verified')
      must(await trustAt(here, [{ ...entry, vct_values: ['https://other.example'] }]), 200)
      expect(await verifyAt(there, compact)).toBe('403 issuer_untrusted')
      expect((await sendAt(here, 'DELETE', '/operator/trust-lists/EU')).status).toBe(204)
      expect(await verifyAt(there, compact)).toBe('400 region_unsupported')
    }
  })

  test('C3 a credential that is revoked at A is revoked in the status list and for the verifier of B at once', async () => {
    must(await trustAt(A, []), 200)
    for (let round = 0; round < ROUNDS; round += 1) {
      const [here, there] = [round % 2, (round + 1) % 2]
      const wallet = await Wallet.open(cluster)
      const offer = await newOffer(cluster)
      const credential = credentialOf(must200(await wallet.redeem(offer.code, offer.c_nonce)))
      const { jti, status } = decodeCredential(credential).payload
      const compact = await issuer.present(credential, { holder: wallet.key, aud: cluster.baseUrl, nonce: 'n' })
      expect(await verifyAt(there, compact)).toBe('200 verified')
      expect(await statusAt(there, status)).toBe(0)
      must(await sendAt(here, 'POST', `/operator/credentials/${String(jti)}/revoke`), 200)
      expect(await verifyAt(there, compact)).toBe('403 attestation_revoked')
      expect(await statusAt(there, status)).toBe(1)
    }
  })

  function must200<Body>(answer: Answer<Body>): Answer<Body> {
    must(answer, 200)
    return answer
  }

  /** What the status list says that one process serves. */
  async function statusAt(member: number, status: unknown): Promise<number> {
    const { status_list: place } = status as { status_list: { idx: number; uri: string } }
    const headers = { accept: 'application/statuslist+jwt', ...at(member) }
    const { text } = await exchange(place.uri, { headers })
    const list = decodeJwt<{ status_list: { lst: string } }>(text).status_list
    const bytes = inflateSync(Buffer.from(list.lst, 'base64url'))
    return ((bytes[Math.floor(place.idx / 8)] ?? 0) >> (place.idx % 8)) & 1
  }
})
