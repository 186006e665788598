/** Decision C10: the standard path, by the token endpoint and an access token for one credential. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { readyAgent, withApp } from '../oauth/setup'
import {
  askAboutToken,
  countStatuses,
  dpopProof,
  exchange,
  must,
  newPrincipal,
  newWalletClient,
} from '../support/actors'
import type { App } from '../support/app'
import { AGES, credentialOf, decodeCredential, errorOf, freshNonce, GRANT, newOffer, Wallet } from './issuance-wallet'

const ID = AGES.credential_configuration_id

let app: App
withApp(async (started) => {
  app = started
})

let wallet: Wallet
beforeAll(async () => {
  wallet = await Wallet.open(app)
})

const newToken = async (offer: { code: string }) => must(await wallet.token(offer.code), 200)['access_token'] ?? ''

describe('the token request', () => {
  test('C10 answers with an access token for the credential endpoint alone', async () => {
    const answer = await wallet.token((await newOffer(app)).code)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(must(answer, 200)).toEqual({
      access_token: expect.any(String),
      token_type: 'DPoP',
      expires_in: 300,
      scope: ID,
    })
    const token = answer.json['access_token'] ?? ''
    expect(decodeProtectedHeader(token).typ).toBe('at+jwt')
    expect(decodeJwt(token)).toMatchObject({
      iss: app.baseUrl,
      sub: expect.stringMatching(/^[\da-f-]{36}$/),
      aud: app.baseUrl,
      scope: ID,
      cnf: { jkt: wallet.dpopKey.jkt },
    })
  })

  test('C10 the subject is a pairwise reference of the person', async () => {
    const { principalId } = await newPrincipal(app)
    const body = { credential_configuration_id: 'service_mandate', subject: { principal_id: principalId } }
    const token = await newToken(await newOffer(app, body))
    const { sub } = decodeJwt(token)
    expect(sub).toMatch(/^[\w-]{43}$/)
    expect(decodeJwt(await newToken(await newOffer(app, body))).sub).toBe(sub)
  })

  test('C10 needs a DPoP proof with a nonce and no client authentication; a client_id is ignored', async () => {
    const { code } = await newOffer(app)
    const url = `${app.baseUrl}/oauth/token`
    const form = { method: 'POST', body: new URLSearchParams({ grant_type: GRANT, 'pre-authorized_code': code }) }
    expect(errorOf(await exchange(url, form))).toEqual([400, 'invalid_dpop_proof'])
    const dpop = await dpopProof(app, wallet.dpopKey, { method: 'POST', url })
    const challenged = await exchange(url, { ...form, headers: { dpop } })
    expect(errorOf(challenged)).toEqual([400, 'use_dpop_nonce'])
    expect(challenged.headers.get('dpop-nonce')).not.toBeNull()
    expect((await wallet.token(code, { client_id: 'whatever' })).status).toBe(200)
  })

  test('C10 a proof is taken once', async () => {
    const url = `${app.baseUrl}/oauth/token`
    await wallet.token('unknown')
    const dpop = await dpopProof(app, wallet.dpopKey, { method: 'POST', url, nonce: wallet.dpopNonce })
    const send = async (code: string) =>
      exchange(url, {
        method: 'POST',
        headers: { dpop },
        body: new URLSearchParams({ grant_type: GRANT, 'pre-authorized_code': code }),
      })
    const [first, second] = [await newOffer(app), await newOffer(app)]
    expect((await send(first.code)).status).toBe(200)
    expect(errorOf(await send(second.code))).toEqual([400, 'invalid_dpop_proof'])
    expect((await wallet.token(second.code)).status).toBe(200)
  })

  test('C10 an unknown code is invalid_grant, none is invalid_request', async () => {
    expect(errorOf(await wallet.token('unknown'))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.sendToken({ grant_type: GRANT }))).toEqual([400, 'invalid_request'])
  })

  test('C10 other grants still need their client', async () => {
    expect(errorOf(await wallet.sendToken({ grant_type: 'authorization_code', code: 'c' }))).toEqual([
      401,
      'invalid_client',
    ])
    expect(errorOf(await wallet.sendToken({ grant_type: 'client_credentials' }))).toEqual([401, 'invalid_client'])
    const agent = await readyAgent(app)
    expect(errorOf(await agent.mint('/oauth/token', { grant_type: 'password' }))).toEqual([
      400,
      'unsupported_grant_type',
    ])
  })

  test('C10 a code that comes again is invalid_grant, and the first access token dies', async () => {
    const offer = await newOffer(app)
    const token = await newToken(offer)
    expect(errorOf(await wallet.token(offer.code))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.fetch(token, ID))).toEqual([401, 'invalid_token'])
  })

  test('C10 a code redeemed on one path is consumed for the other', async () => {
    const [one, two] = [await newOffer(app), await newOffer(app)]
    const token = await newToken(one)
    expect(errorOf(await wallet.redeem(one.code, await freshNonce(app)))).toEqual([400, 'invalid_grant'])
    expect((await wallet.fetch(token, ID)).status, 'the token lives on').toBe(200)
    must(await wallet.redeem(two.code, two.c_nonce), 200)
    expect(errorOf(await wallet.token(two.code))).toEqual([400, 'invalid_grant'])
  })

  test('C10 sixteen requests at once get one token, and sixteen over both paths one credential at most', async () => {
    const offer = await newOffer(app)
    await wallet.token('unknown')
    const answers = await Promise.all(Array.from({ length: 16 }, () => wallet.token(offer.code)))
    expect(countStatuses(answers)).toEqual({ 200: 1, 400: 15 })
    const shared = await newOffer(app)
    const nonces = await Promise.all(Array.from({ length: 8 }, () => freshNonce(app)))
    const mixed = await Promise.all([
      ...nonces.map((nonce) => wallet.redeem(shared.code, nonce)),
      ...nonces.map(() => wallet.token(shared.code)),
    ])
    expect(countStatuses(mixed)).toEqual({ 200: 1, 400: 15 })
  })
})

describe('the credential request with an access token', () => {
  test('C10 gives the credential, once', async () => {
    const token = await newToken(await newOffer(app))
    const answer = await wallet.fetch(token, ID)
    const { payload } = decodeCredential(credentialOf(answer))
    expect(payload['cnf']).toMatchObject({ jkt: wallet.key.jkt })
    expect(errorOf(await wallet.fetch(token, ID))).toEqual([400, 'credential_request_denied'])
  })

  test('C10 sixteen at once get one', async () => {
    const token = await newToken(await newOffer(app))
    const answers = await Promise.all(Array.from({ length: 16 }, () => wallet.fetch(token, ID)))
    expect(countStatuses(answers)).toEqual({ 200: 1, 400: 15 })
    expect(answers.filter(({ status }) => status === 400).map(({ json }) => json['error'])).toEqual(
      Array(15).fill('credential_request_denied'),
    )
  })

  test('C7, C10 names the configuration of the token and nothing else', async () => {
    const token = await newToken(await newOffer(app))
    const named = (more: Record<string, unknown>) => wallet.fetch(token, ID, more)
    expect(errorOf(await named({ credential_configuration_id: undefined }))).toEqual([
      400,
      'invalid_credential_request',
    ])
    expect(errorOf(await named({ credential_identifier: 'x' }))).toEqual([400, 'invalid_credential_request'])
    const byIdentifier = { credential_configuration_id: undefined, credential_identifier: 'x' }
    expect(errorOf(await named(byIdentifier))).toEqual([400, 'unknown_credential_identifier'])
    const other = { credential_configuration_id: 'service_mandate' }
    expect(errorOf(await named(other))).toEqual([400, 'unknown_credential_configuration'])
    expect(errorOf(await named({ credential_configuration_id: '__proto__' }))).toEqual([
      400,
      'unknown_credential_configuration',
    ])
    expect(errorOf(await named({ proofs: undefined }))).toEqual([400, 'invalid_proof'])
    expect(errorOf(await named({ proofs: { jwt: [await wallet.proof('made-up')] } }))).toEqual([400, 'invalid_nonce'])
    expect((await named({})).status).toBe(200)
  })

  test('C10 Bearer, a missing proof, a proof of another key and an expired token are 401', async () => {
    const token = await newToken(await newOffer(app))
    const body = { credential_configuration_id: ID, proofs: { jwt: [await wallet.proof(await freshNonce(app))] } }
    const refused = [401, 'invalid_token']
    const headers = await wallet.withToken(token)
    const bearer = await wallet.request(body, { ...headers, authorization: `Bearer ${token}` })
    expect(errorOf(bearer)).toEqual(refused)
    expect(bearer.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_token"/)
    expect(errorOf(await wallet.request(body, { authorization: `DPoP ${token}` }))).toEqual(refused)
    const stranger = await Wallet.open(app)
    expect(errorOf(await wallet.request(body, await stranger.withToken(token)))).toEqual(refused)
    expect((await wallet.request(body, headers)).status).toBe(200)
    const replayed = await wallet.request(body, headers)
    expect(errorOf(replayed)).toEqual(refused)
    expect(replayed.headers.get('www-authenticate')).toContain('invalid_dpop_proof')
    const late = await newToken(await newOffer(app))
    app.clock.advance({ seconds: 301 })
    expect(errorOf(await wallet.fetch(late, ID))).toEqual(refused)
  })

  test('C10 another kind of access token is 401', async () => {
    const agent = await readyAgent(app)
    const { access_token: token } = await agent.buy()
    const holder = new Wallet(app, wallet.key, agent.dpopKey)
    expect(errorOf(await holder.fetch(token, ID))).toEqual([401, 'invalid_token'])
  })
})

describe('the access token elsewhere', () => {
  test('C10 is refused by the wallet, agent and settlement endpoints, and inactive to introspection', async () => {
    const token = await newToken(await newOffer(app))
    const call = async (method: string, path: string, body?: unknown) => {
      const url = app.baseUrl + path
      const dpop = await dpopProof(app, wallet.dpopKey, { method, url, accessToken: token })
      const headers = { authorization: `DPoP ${token}`, dpop, 'content-type': 'application/json' }
      return exchange(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    }
    for (const [method, path, body] of [
      ['GET', '/wallet/agents', undefined],
      ['GET', '/wallet/limits', undefined],
      ['POST', '/privacy/dsar/access', {}],
      ['POST', '/settlement/settle', { mandate: 'm', idempotency_key: 'k' }],
    ] as const) {
      expect([path, ...errorOf(await call(method, path, body))]).toEqual([path, 401, 'invalid_token'])
    }
    const client = await newWalletClient(app)
    expect((await askAboutToken(app, 'introspect', client, { token })).json).toEqual({ active: false })
    expect((await wallet.fetch(token, ID)).status, 'none of this has used it').toBe(200)
  })
})

test('C10 the server metadata names the grant and that it takes anonymous wallets', async () => {
  const { json } = await exchange(`${app.baseUrl}/.well-known/oauth-authorization-server`)
  expect(json['grant_types_supported']).toContain(GRANT)
  expect(json['pre-authorized_grant_anonymous_access_supported']).toBe(true)
})
