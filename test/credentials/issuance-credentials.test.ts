/** Decisions C1 to C3 and C11: what is issued, how it ends, and where it is described. */
import { compactVerify, createRemoteJWKSet, decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { keepStatusPlaces } from '@/server/oauth/mandates'
import { sweepExpired } from '@/server/sweep'
import { readyAgent, withApp } from '../oauth/setup'
import { exchange, must, newPrincipal, newWalletClient, operate, Person, statusOfMandate } from '../support/actors'
import type { App } from '../support/app'
import {
  AGES,
  asClient,
  codeOf,
  credentialOf,
  decodeCredential,
  newOffer,
  post,
  requestOffer,
  Wallet,
} from './issuance-wallet'

let app: App
withApp(async (started) => {
  app = started
})

let wallet: Wallet
beforeAll(async () => {
  wallet = await Wallet.open(app)
})

async function issue(body: unknown = AGES): Promise<string> {
  const offer = await newOffer(app, body)
  return credentialOf(await wallet.redeem(offer.code, offer.c_nonce))
}

const mandateFor = (principalId: string, more: Record<string, unknown> = {}) => ({
  credential_configuration_id: 'service_mandate',
  subject: { principal_id: principalId, ...more },
})

describe('a credential', () => {
  test('C2 is an SD-JWT VC with these plain claims and no others', async () => {
    const { header, payload } = decodeCredential(await issue())
    const now = wallet.now()
    expect(header).toEqual({ alg: 'EdDSA', typ: 'dc+sd-jwt', kid: expect.any(String) })
    expect(payload).toEqual({
      iss: app.baseUrl,
      iat: expect.toSatisfy((iat: number) => Math.abs(iat - now) < 60),
      nbf: payload['iat'],
      exp: (payload['iat'] as number) + 2_592_000,
      jti: expect.any(String),
      vct: `${app.baseUrl}/vct/age-verified-buyer/1`,
      cnf: { jwk: wallet.key.jwk, jkt: wallet.key.jkt },
      status: { status_list: { idx: expect.any(Number), uri: `${app.baseUrl}/oauth/status-list/1` } },
      age_equal_or_over: { _sd: [expect.any(String), expect.any(String)] },
      _sd: [expect.any(String)],
      _sd_alg: 'sha-256',
    })
  })

  test('C2 verifies with the keys of jwt-vc-issuer', async () => {
    const credential = await issue()
    const { json } = await exchange<{ jwks: { keys: { kid: string }[] } }>(`${app.baseUrl}/.well-known/jwt-vc-issuer`)
    const { header } = decodeCredential(credential)
    expect(json.jwks.keys.map(({ kid }) => kid)).toContain(header['kid'])
    const keys = createRemoteJWKSet(new URL(`${app.baseUrl}/oauth/jwks.json`))
    await compactVerify(credential.split('~')[0] ?? '', keys)
  })

  test('C1 the ages have one disclosure each', async () => {
    expect(decodeCredential(await issue()).disclosed).toEqual({ 18: true, 21: false, country: 'DE' })
  })

  test('C1 the members of a service mandate are disclosable, and the person is a pairwise reference', async () => {
    const { principalId } = await newPrincipal(app)
    const claims = {
      merchant_audience: 'https://shop.test',
      currency: 'EUR',
      max_amount_minor: 5000,
      purpose: 'Groceries',
    }
    const text = await issue(mandateFor(principalId, claims))
    const { payload, disclosed } = decodeCredential(text)
    expect(disclosed).toEqual({ ...claims, principal: expect.stringMatching(/^[\w-]{43}$/) })
    for (const name of [...Object.keys(claims), 'principal', 'aud', 'sub']) expect(payload).not.toHaveProperty(name)
    expect(text).not.toContain(principalId)
    const other = decodeCredential(await issue(mandateFor(principalId, { merchant_audience: 'https://other.test' })))
    expect(other.disclosed['principal']).not.toBe(disclosed['principal'])
  })

  test('C2 a service mandate is no payment mandate: settle and verify-mandate refuse it', async () => {
    const agent = await readyAgent(app)
    const bought = await agent.buy()
    const holder = new Wallet(app, agent.dpopKey, agent.dpopKey)
    const offer = await newOffer(app, mandateFor(agent.principalId))
    const credential = credentialOf(await holder.redeem(offer.code, offer.c_nonce))
    const settled = await agent.settle(bought.access_token, credential, 'key-1')
    expect([settled.status, settled.json['error']]).toEqual([401, 'invalid_token'])
    const body = { presentation: credential, line_items: [{ sku: 'book', qty: 1, unit_price_minor: 1200 }] }
    const verified = await post(`${app.baseUrl}/merchant_test/verify-mandate`, body)
    expect([verified.status, verified.json['error']]).toEqual([422, 'mandate_invalid'])
  })
})

describe('the end of a credential', () => {
  test('C3 the operator revokes it in the status list, once', async () => {
    const credential = await issue()
    const { jti } = decodeJwt(credential.split('~')[0] ?? '')
    expect(await statusOfMandate(credential)).toBe(0)
    const revoked = must(await operate(app, 'POST', `/credentials/${jti}/revoke`), 200)
    expect(revoked).toEqual({ credential_id: jti, revoked_at: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(await statusOfMandate(credential)).toBe(1)
    app.clock.advance({ seconds: 5 })
    expect((await operate(app, 'POST', `/credentials/${jti}/revoke`)).json).toEqual(revoked)
  })

  test('C3 sixteen revocations at once answer the same', async () => {
    const { jti } = decodeJwt((await issue()).split('~')[0] ?? '')
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => operate(app, 'POST', `/credentials/${jti}/revoke`)),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  test('C3 an erasure of the person revokes theirs and no others, and forgets their offers’ claims', async () => {
    const [one, two] = await Promise.all([newPrincipal(app), newPrincipal(app)])
    const [mine, other] = [await issue(mandateFor(one.principalId)), await issue(mandateFor(two.principalId))]
    await newOffer(app, mandateFor(one.principalId, { purpose: 'a secret purpose' }))
    const person = await Person.signIn(app, one.principalId, 'privacy:dsar')
    must(await person.call('POST', '/privacy/dsar/erasure'), 200)
    expect([await statusOfMandate(mine), await statusOfMandate(other)]).toEqual([1, 0])
    const left = await app.platform.db.query(
      sql`SELECT id FROM credential_offers WHERE subject::text LIKE '%secret purpose%'`,
    )
    expect(left).toEqual([])
  })

  test('C3, C12 an erasure that meets redemptions leaves no active credential', async () => {
    const { principalId } = await newPrincipal(app)
    const offers = await Promise.all(Array.from({ length: 12 }, () => newOffer(app, mandateFor(principalId))))
    const person = await Person.signIn(app, principalId, 'privacy:dsar')
    const redeemed = offers.slice(0, 6).map(({ code, c_nonce: nonce }) => wallet.redeem(code, nonce))
    const erasing = person.call('POST', '/privacy/dsar/erasure')
    const later = offers.slice(6).map(({ code, c_nonce: nonce }) => wallet.redeem(code, nonce))
    const answers = await Promise.all([...redeemed, ...later])
    must(await erasing, 200)
    for (const answer of answers) {
      expect([200, 400]).toContain(answer.status)
      if (answer.status === 400) expect(answer.json['error']).toBe('credential_request_denied')
      else expect(await statusOfMandate(credentialOf(answer))).toBe(1)
    }
  })

  test('C1 a place of the status list is given back an hour after the end of its credential', async () => {
    const credential = await issue()
    const { jti } = decodeJwt(credential.split('~')[0] ?? '')
    const placesOf = () =>
      app.platform.db.query(sql`SELECT 1 AS one FROM credential_places WHERE credential_id = ${jti ?? ''}`)
    app.clock.advance({ seconds: 2_592_000 + 3_590 })
    await keepStatusPlaces(app.platform)
    expect(await placesOf()).toHaveLength(1)
    app.clock.advance({ seconds: 20 })
    await keepStatusPlaces(app.platform)
    expect(await placesOf()).toEqual([])
    expect((await operate(app, 'POST', `/credentials/${jti}/revoke`)).status, 'it is still known').toBe(200)
    app.clock.advance({ seconds: 31 * 86_400 })
    await sweepExpired(app.platform)
    expect((await operate(app, 'POST', `/credentials/${jti}/revoke`)).status).toBe(404)
    const rest = await app.platform.db.query(
      sql`SELECT id FROM credential_offers UNION ALL SELECT nonce_hash FROM credential_nonces`,
    )
    expect(rest).toEqual([])
  })

  test('C3 a full list is 503 and leaves code and nonce as they were', async () => {
    const { random } = app.platform
    const { bytes } = random
    const [first, second] = [await newOffer(app), await newOffer(app)]
    // Every place that is drawn is the same one.
    random.bytes = (length) => (length === 64 ? Buffer.alloc(64) : bytes(length))
    try {
      must(await wallet.redeem(first.code, first.c_nonce), 200)
      const refused = await wallet.redeem(second.code, second.c_nonce)
      expect([refused.status, refused.json['error']]).toEqual([503, 'service_unavailable'])
    } finally {
      random.bytes = bytes
    }
    must(await wallet.redeem(second.code, second.c_nonce), 200)
  })
})

test('C1 the person’s access dump names offers and credentials', async () => {
  const { readAccessDump } = await import('@/server/surfaces/privacy/read-access-dump')
  const { requirePrincipal } = await import('@/server/shared/principals')
  const { principalId } = await newPrincipal(app)
  await issue(mandateFor(principalId))
  const principal = await requirePrincipal(app.platform.db, principalId)
  const dump = await readAccessDump(app.platform, { principal, requestId: 'r' })
  expect(dump).toMatchObject({
    credential_offers: [{ configuration: 'service_mandate', subject: {} }],
    issued_credentials: [{ configuration: 'service_mandate' }],
  })
})

test('A5 an offer of a wallet client is redeemed like every other offer', async () => {
  const client = await newWalletClient(app)
  const offer = must(await requestOffer(app, AGES, await asClient(app, client)), 200)
  must(await wallet.redeem(codeOf(offer), offer.c_nonce), 200)
})

describe('the documents', () => {
  test('C11 the issuer describes itself', async () => {
    const answer = await exchange(`${app.baseUrl}/.well-known/openid-credential-issuer`)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    const configuration = (id: string, vct: string) => ({
      format: 'dc+sd-jwt',
      vct: app.baseUrl + vct,
      scope: id,
      cryptographic_binding_methods_supported: ['jwk'],
      credential_signing_alg_values_supported: ['EdDSA'],
      proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['EdDSA', 'Ed25519'] } },
      credential_metadata: { display: [expect.any(Object)], claims: expect.any(Array) },
    })
    expect(answer.json).toEqual({
      credential_issuer: app.baseUrl,
      authorization_servers: [app.baseUrl],
      credential_endpoint: `${app.baseUrl}/oid4vci/credential`,
      nonce_endpoint: `${app.baseUrl}/oid4vci/nonce`,
      display: [{ name: 'Countersign' }],
      credential_configurations_supported: {
        service_mandate: configuration('service_mandate', '/vct/service-mandate/1'),
        service_age_verified_buyer: configuration('service_age_verified_buyer', '/vct/age-verified-buyer/1'),
      },
    })
  })

  test.each(['/vct/service-mandate/1', '/vct/age-verified-buyer/1'])('C2 %s serves its type metadata', async (path) => {
    const answer = await exchange(app.baseUrl + path)
    expect(answer.json).toMatchObject({ vct: app.baseUrl + path, name: expect.any(String), claims: expect.any(Array) })
    const etag = answer.headers.get('etag') ?? ''
    expect((await exchange(app.baseUrl + path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})
