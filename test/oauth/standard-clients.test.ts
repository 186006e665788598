import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, newPrincipal } from '../actors'
import { type App, startApp } from '../app'

const REDIRECT_URI = 'http://127.0.0.1:8765/oid4ac/callback'
let app: App
let agent: Agent
beforeAll(async () => {
  app = await startApp()
  agent = await Agent.register(app, (await newPrincipal(app, { approval_rule: 'above_limits' })).principalId)
})
afterAll(() => app.close())

const purchase = () => ({
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  scope: 'openid oid4ac:payment payment:execute',
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

describe('oauth4webapi, unpatched', () => {
  test('discovery, PAR, authorize, token, refresh with DPoP nonces', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(app.baseUrl)
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    )
    const me: oauth.Client = { client_id: agent.clientId }
    const DPoP = oauth.DPoP(me, {
      privateKey: agent.dpopKey.privateKey as CryptoKey,
      publicKey: agent.dpopKey.publicKey as CryptoKey,
    })
    const auth = oauth.PrivateKeyJwt(agent.key.privateKey as CryptoKey)
    const verifier = oauth.generateRandomCodeVerifier()
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const state = oauth.generateRandomState()
    /** What its documentation tells callers to do: once more after a nonce challenge. */
    const withNonce = async <T>(work: () => Promise<T>): Promise<T> =>
      work().catch((error: unknown) => {
        if (oauth.isDPoPNonceError(error)) return work()
        throw error
      })
    const pushed = await withNonce(async () =>
      oauth.processPushedAuthorizationResponse(
        as,
        me,
        await oauth.pushedAuthorizationRequest(
          as,
          me,
          auth,
          { ...purchase(), state, code_challenge: challenge },
          { DPoP, ...insecure },
        ),
      ),
    )
    const url = new URL(as.authorization_endpoint ?? '')
    url.search = new URLSearchParams({ client_id: me.client_id, request_uri: pushed.request_uri }).toString()
    const redirect = await fetch(url, { redirect: 'manual' })
    const parameters = oauth.validateAuthResponse(as, me, new URL(redirect.headers.get('location') ?? ''), state)
    const tokens = await withNonce(async () =>
      oauth.processAuthorizationCodeResponse(
        as,
        me,
        await oauth.authorizationCodeGrantRequest(as, me, auth, parameters, REDIRECT_URI, verifier, {
          DPoP,
          ...insecure,
        }),
      ),
    )
    expect(tokens.token_type).toBe('dpop')
    expect(tokens['mandate_id']).toEqual(expect.any(String))
    const refreshed = await withNonce(async () =>
      oauth.processRefreshTokenResponse(
        as,
        me,
        await oauth.refreshTokenGrantRequest(as, me, auth, tokens.refresh_token ?? '', { DPoP, ...insecure }),
      ),
    )
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
  })
})

describe('openid-client, unpatched', () => {
  test('discovery, PAR, authorize, token, refresh', async () => {
    const config = await client.discovery(
      new URL(app.baseUrl),
      agent.clientId,
      { token_endpoint_auth_method: 'private_key_jwt' },
      client.PrivateKeyJwt(agent.key.privateKey as CryptoKey),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    )
    const DPoP = client.getDPoPHandle(config, {
      privateKey: agent.dpopKey.privateKey as CryptoKey,
      publicKey: agent.dpopKey.publicKey as CryptoKey,
    })
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const url = await client.buildAuthorizationUrlWithPAR(
      config,
      { ...purchase(), state, code_challenge: await client.calculatePKCECodeChallenge(verifier) },
      { DPoP },
    )
    const redirect = await fetch(url, { redirect: 'manual' })
    const callback = new URL(redirect.headers.get('location') ?? '')
    const tokens = await client.authorizationCodeGrant(
      config,
      callback,
      { pkceCodeVerifier: verifier, expectedState: state },
      undefined,
      { DPoP },
    )
    expect(tokens.token_type).toBe('dpop')
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
    expect(refreshed.access_token).not.toBe(tokens.access_token)
  })
})
