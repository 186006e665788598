import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Agent, exchange, newPrincipal, newSetupToken, REDIRECT_URI } from '../support/actors'
import type { App } from '../support/app'
import { withApp } from './setup'

let app: App
let principalId: string
withApp(async (started) => {
  app = started
  principalId = (await newPrincipal(app, { approval_rule: 'above_limits' })).principalId
})
afterEach(() => {
  vi.useRealTimers()
})

/** Both libraries read the time themselves, and the service's clock follows the same one. */
function laterBy(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

const purchase = () => ({
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  scope: 'payment:execute openid oid4ac:payment',
  resource: 'https://shop.example',
  authorization_details: JSON.stringify([
    {
      type: 'oid4ac_mandate',
      merchant: 'https://shop.example',
      amount_minor: 1200,
      currency: 'EUR',
      line_items: [{ sku: 'book', qty: 1 }],
    },
  ]),
  code_challenge_method: 'S256',
})

interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly refresh_token?: string | undefined
  readonly [member: string]: unknown
}

/** What a library does for an agent. The two differ in style, not in what they may rely on. */
interface Session {
  buy(): Promise<Tokens>
  refresh(refreshToken: string): Promise<Tokens>
  introspect(token: string): Promise<Record<string, unknown>>
  revoke(token: string): Promise<void>
  post(path: string, accessToken: string, body: unknown): Promise<Response>
}

interface Library {
  connect(agent: Identity, heard: string[]): Promise<Session>
  /** The registration as the library hands it to its caller. */
  register(metadata: Record<string, unknown>, initialAccessToken?: string): Promise<Record<string, unknown>>
}

type Identity = Pick<Agent, 'clientId' | 'key' | 'dpopKey'>

/** A fetch that notes the reason of every refusal that passes. */
const listening =
  (heard: string[]) =>
  async (url: string, init: unknown): Promise<Response> => {
    const response = await fetch(url, init as RequestInit)
    if (response.status >= 400) {
      const challenge = /error="(\w+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1]
      const body = (await response.clone().json()) as { error: string }
      heard.push(challenge ?? body.error)
    }
    return response
  }

const keyPair = ({ dpopKey }: Identity) => ({
  privateKey: dpopKey.privateKey as CryptoKey,
  publicKey: dpopKey.publicKey as CryptoKey,
})

const discover = async () => {
  const issuer = new URL(app.baseUrl)
  const options = { algorithm: 'oauth2', [oauth.allowInsecureRequests]: true } as const
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
}

/** What the documentation of oauth4webapi tells callers to do: once more after a nonce challenge. */
async function withNonce<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (oauth.isDPoPNonceError(error)) return work()
    throw error
  })
}

const oauth4webapi: Library = {
  async connect(agent, heard) {
    const as = await discover()
    const me: oauth.Client = { client_id: agent.clientId }
    const auth = oauth.PrivateKeyJwt(agent.key.privateKey as CryptoKey)
    const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: listening(heard) }
    const bound = { ...options, DPoP: oauth.DPoP(me, keyPair(agent)) }
    return {
      async buy() {
        const verifier = oauth.generateRandomCodeVerifier()
        const state = oauth.generateRandomState()
        const request = { ...purchase(), state, code_challenge: await oauth.calculatePKCECodeChallenge(verifier) }
        const { request_uri: uri } = await withNonce(async () => {
          const response = await oauth.pushedAuthorizationRequest(as, me, auth, request, bound)
          return oauth.processPushedAuthorizationResponse(as, me, response)
        })
        const url = new URL(as.authorization_endpoint ?? '')
        url.search = new URLSearchParams({ client_id: me.client_id, request_uri: uri }).toString()
        const callback = await redirectOf(url)
        const parameters = oauth.validateAuthResponse(as, me, callback, state)
        return withNonce(async () => {
          const grant = [as, me, auth, parameters, REDIRECT_URI, verifier, bound] as const
          return oauth.processAuthorizationCodeResponse(as, me, await oauth.authorizationCodeGrantRequest(...grant))
        })
      },
      refresh: (token) =>
        withNonce(async () =>
          oauth.processRefreshTokenResponse(as, me, await oauth.refreshTokenGrantRequest(as, me, auth, token, bound)),
        ),
      introspect: async (token) =>
        oauth.processIntrospectionResponse(as, me, await oauth.introspectionRequest(as, me, auth, token, options)),
      revoke: async (token) =>
        oauth.processRevocationResponse(await oauth.revocationRequest(as, me, auth, token, options)),
      post: (path, token, body) =>
        withNonce(() =>
          oauth.protectedResourceRequest(
            token,
            'POST',
            new URL(app.baseUrl + path),
            new Headers({ 'content-type': 'application/json' }),
            JSON.stringify(body),
            bound,
          ),
        ),
    }
  },
  async register(metadata, initialAccessToken) {
    const options = { [oauth.allowInsecureRequests]: true, ...(initialAccessToken && { initialAccessToken }) }
    const request = oauth.dynamicClientRegistrationRequest(await discover(), metadata as never, options)
    return oauth.processDynamicClientRegistrationResponse(await request)
  },
}

const openidClient: Library = {
  async connect(agent, heard) {
    const config = await openid.discovery(
      new URL(app.baseUrl),
      agent.clientId,
      { token_endpoint_auth_method: 'private_key_jwt' },
      openid.PrivateKeyJwt(agent.key.privateKey as CryptoKey),
      {
        algorithm: 'oauth2',
        execute: [openid.allowInsecureRequests],
        [openid.customFetch]: listening(heard),
      },
    )
    const bound = { DPoP: openid.getDPoPHandle(config, keyPair(agent)) }
    return {
      async buy() {
        const pkceCodeVerifier = openid.randomPKCECodeVerifier()
        const expectedState = openid.randomState()
        const challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier)
        const request = { ...purchase(), state: expectedState, code_challenge: challenge }
        const callback = await redirectOf(await openid.buildAuthorizationUrlWithPAR(config, request, bound))
        const checks = { pkceCodeVerifier, expectedState }
        return openid.authorizationCodeGrant(config, callback, checks, undefined, bound)
      },
      refresh: (token) => openid.refreshTokenGrant(config, token, undefined, bound),
      introspect: (token) => openid.tokenIntrospection(config, token),
      revoke: (token) => openid.tokenRevocation(config, token),
      post: (path, token, body) =>
        openid.fetchProtectedResource(
          config,
          token,
          new URL(app.baseUrl + path),
          'POST',
          JSON.stringify(body),
          new Headers({ 'content-type': 'application/json' }),
          bound,
        ),
    }
  },
  async register(metadata, initialAccessToken) {
    const config = await openid.dynamicClientRegistration(new URL(app.baseUrl), metadata as never, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
      ...(initialAccessToken && { initialAccessToken }),
    })
    return { ...config.clientMetadata() }
  },
}

async function redirectOf(url: URL): Promise<URL> {
  const { location } = Object.fromEntries((await fetch(url, { redirect: 'manual' })).headers)
  return new URL(location ?? '')
}

const newAgent = () => Agent.register(app, principalId)

describe.each([
  ['oauth4webapi', oauth4webapi],
  ['openid-client', openidClient],
])('%s, unpatched', (_name, library) => {
  test('the library completes a purchase from discovery to refresh, with the nonce that the server demands', async () => {
    const heard: string[] = []
    const session = await library.connect(await newAgent(), heard)
    const tokens = await session.buy()
    expect(tokens).toMatchObject({ token_type: 'dpop', mandate_id: expect.any(String) })
    expect(heard).toEqual(['use_dpop_nonce'])
    const settled = await session.post('/settlement/settle', tokens.access_token, {
      mandate: tokens['mandate_jwt'],
      idempotency_key: String(tokens['mandate_id']),
    })
    expect(await settled.json()).toMatchObject({ status: 'succeeded', mandate_id: tokens['mandate_id'] })
    const refreshed = await session.refresh(tokens.refresh_token ?? '')
    expect(refreshed.token_type).toBe('dpop')
    expect([tokens.access_token, tokens.refresh_token]).not.toContain(refreshed.access_token)
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect(heard).toEqual(['use_dpop_nonce'])
  })

  test('D21, D22 the library renews a stale nonce, at resource endpoints and at the token endpoint', async () => {
    const heard: string[] = []
    const session = await library.connect(await newAgent(), heard)
    const tokens = await session.buy()
    laterBy(200)
    const settle = { mandate: tokens['mandate_jwt'], idempotency_key: String(tokens['mandate_id']) }
    expect((await session.post('/settlement/settle', tokens.access_token, settle)).status).toBe(200)
    laterBy(200)
    expect((await session.refresh(tokens.refresh_token ?? '')).access_token).toEqual(expect.any(String))
    expect(heard).toEqual(['use_dpop_nonce', 'use_dpop_nonce', 'use_dpop_nonce'])
  })

  test('the library introspects and revokes tokens', async () => {
    const agent = await newAgent()
    const session = await library.connect(agent, [])
    const { access_token: accessToken, refresh_token: refreshToken = '' } = await session.buy()
    const whole = { active: true, client_id: agent.clientId, token_type: 'DPoP', cnf: { jkt: agent.dpopKey.jkt } }
    expect(await session.introspect(accessToken)).toMatchObject(whole)
    expect(await session.introspect(refreshToken)).toMatchObject(whole)
    await session.revoke(refreshToken)
    expect(await session.introspect(accessToken)).toEqual({ active: false })
    await expect(session.refresh(refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('the library registers a client with a setup token, reads the registration and buys with the new client', async () => {
    const { key, dpopKey } = await newAgent()
    const registered = await library.register({
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      client_name: 'Library agent',
      software_statement: await newSetupToken(app, principalId),
    })
    expect(registered).toMatchObject({
      client_id: expect.any(String),
      client_name: 'Library agent',
      principal_id: principalId,
    })
    const read = await exchange(String(registered['registration_client_uri']), {
      headers: { authorization: `Bearer ${String(registered['registration_access_token'])}` },
    })
    expect([read.status, read.json]).toEqual([200, registered])
    const session = await library.connect({ clientId: String(registered['client_id']), key, dpopKey }, [])
    expect((await session.buy()).token_type).toBe('dpop')
  })

  test('a setup token is refused as an initial access token', async () => {
    const { key } = await newAgent()
    const metadata = { redirect_uris: [REDIRECT_URI], jwks: { keys: [key.jwk] } }
    await expect(library.register(metadata, await newSetupToken(app, principalId))).rejects.toMatchObject({
      error: 'invalid_software_statement',
    })
  })
})
