import {
  type AddClientAuthentication,
  auth,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  fetchToken,
  type OAuthClientProvider,
  refreshAuthorization,
  registerClient,
  selectResourceURL,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { createPrivateKeyJwtAuth, PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import {
  type OAuthClientInformationMixed,
  type OAuthMetadata,
  OAuthMetadataSchema,
  type OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { decodeJwt, exportJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  Agent,
  exchange,
  type Key,
  newKey,
  newPrincipal,
  newSetupToken,
  Person,
  REDIRECT_URI,
  type TokenAnswer,
} from '../support/actors'
import type { App } from '../support/app'
import { withApp } from './setup'

let app: App
let principalId: string
let metadata: OAuthMetadata
withApp(async (started) => {
  app = started
  principalId = (await newPrincipal(app, { approval_rule: 'above_limits' })).principalId
  metadata = (await discoverAuthorizationServerMetadata(app.baseUrl)) as OAuthMetadata
})

const newAgent = () => Agent.register(app, principalId)

/** The SDK's helpers know no DPoP. A fetch that adds a proof and repeats after a nonce challenge is all that they need. */
function dpopFetch(prover: Pick<Agent, 'proof'>): FetchLike {
  let nonce: string | undefined
  const send: FetchLike = async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('dpop', await prover.proof(init?.method ?? 'GET', String(url), { nonce }))
    const response = await fetch(url, { ...init, headers })
    nonce = response.headers.get('dpop-nonce') ?? nonce
    return response
  }
  return async (url, init) => {
    const response = await send(url, init)
    if (response.status !== 400) return response
    const { error } = (await response.clone().json()) as { error?: string }
    return error === 'use_dpop_nonce' ? send(url, init) : response
  }
}

const authenticationOf = async (clientId: string, key: Key) =>
  createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: { ...(await exportJWK(key.privateKey)) },
    alg: key.alg,
  })

/** What the token helpers are called with by an agent. */
async function tokenOptions(agent: Agent) {
  return {
    metadata,
    clientInformation: { client_id: agent.clientId },
    addClientAuthentication: await authenticationOf(agent.clientId, agent.key),
    fetchFn: dpopFetch(agent),
  }
}

const redeem = async (agent: Agent, code: { code: string; verifier: string }, more: { resource?: URL } = {}) =>
  exchangeAuthorization(app.baseUrl, {
    ...(await tokenOptions(agent)),
    authorizationCode: code.code,
    codeVerifier: code.verifier,
    redirectUri: REDIRECT_URI,
    ...more,
  })

describe('helpers of the MCP SDK that apply as they are', () => {
  test('M1, M2 discovery finds the metadata, and the schema keeps all of it', async () => {
    const document = (await exchange(`${app.baseUrl}/.well-known/oauth-authorization-server`)).json
    expect(metadata).toEqual(document)
    expect(OAuthMetadataSchema.parse(document)).toEqual(document)
    expect(await discoverOAuthServerInfo(`${app.baseUrl}/mcp`)).toMatchObject({
      authorizationServerUrl: `${app.baseUrl}/`,
      authorizationServerMetadata: { issuer: app.baseUrl, require_pushed_authorization_requests: true },
    })
  })

  test('G1 registerClient sends setup token and keys, and keeps what a client needs of the answer', async () => {
    const key = await newKey()
    const clientMetadata = {
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      client_name: 'MCP client',
      software_statement: await newSetupToken(app, principalId),
    }
    const registered = await registerClient(app.baseUrl, { metadata, clientMetadata })
    expect(registered).toMatchObject({
      client_id: expect.any(String),
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      client_name: 'MCP client',
    })
    await expect(registerClient(app.baseUrl, { metadata, clientMetadata })).rejects.toThrow(
      'The setup token is unknown, expired or was used before.',
    )
  })

  test('createPrivateKeyJwtAuth authenticates at the token endpoint: exchange, refresh, and reuse by its error class', async () => {
    const agent = await newAgent()
    const tokens = await redeem(agent, await agent.code())
    expect(tokens).toMatchObject({ token_type: 'DPoP', expires_in: 300, refresh_token: expect.any(String) })
    const refresh = { ...(await tokenOptions(agent)), refreshToken: tokens.refresh_token ?? '' }
    const refreshed = await refreshAuthorization(app.baseUrl, refresh)
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    await expect(refreshAuthorization(app.baseUrl, refresh)).rejects.toMatchObject({ errorCode: 'invalid_grant' })
  })

  test('createPrivateKeyJwtAuth authenticates at introspection and revocation too, beside a client_id', async () => {
    const agent = await newAgent()
    const addClientAuthentication = await authenticationOf(agent.clientId, agent.key)
    const token = (await agent.buy()).refresh_token
    const ask = async (endpoint: string) => {
      const params = new URLSearchParams({ token, client_id: agent.clientId })
      await addClientAuthentication(new Headers(), params, endpoint, metadata)
      return exchange(endpoint, { method: 'POST', body: params })
    }
    const introspection = metadata.introspection_endpoint ?? ''
    expect((await ask(introspection)).json).toMatchObject({ active: true, client_id: agent.clientId })
    expect((await ask(metadata.revocation_endpoint ?? '')).status).toBe(200)
    expect((await ask(introspection)).json).toEqual({ active: false })
  })

  test('T11 selectResourceURL picks the audience of a merchant, and the exchange narrows the token to it', async () => {
    const agent = await newAgent()
    const code = await agent.code()
    const resourceMetadata = { resource: code.merchant, authorization_servers: [app.baseUrl] }
    const resource = await selectResourceURL(`${code.merchant}/mcp`, {} as OAuthClientProvider, resourceMetadata)
    const tokens = await redeem(agent, code, { resource: resource ?? new URL('https://none.example') })
    expect(decodeJwt(tokens.access_token).aud).toBe(code.merchant)
  })
})

/** A provider for `auth()` that pushes the authorization request which the SDK would have sent through the browser. */
class PushingProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI
  readonly clientMetadata
  sentTo = ''
  private information: OAuthClientInformationMixed | undefined
  private stored: OAuthTokens | undefined
  private verifier = ''

  constructor(
    private readonly keys: { readonly key: Key; readonly dpopKey: Key },
    setupToken: string,
  ) {
    this.clientMetadata = {
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [keys.key.jwk] },
      scope: 'wallet:read',
      software_statement: setupToken,
    }
  }

  readonly clientInformation = () => this.information
  readonly tokens = () => this.stored
  readonly codeVerifier = () => this.verifier
  readonly state = () => 'mcp-state'
  readonly saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.information = information
  }
  readonly saveTokens = (tokens: OAuthTokens) => {
    this.stored = tokens
  }
  readonly saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }

  readonly addClientAuthentication: AddClientAuthentication = async (...request) => {
    const authenticate = await authenticationOf(this.agent().clientId, this.keys.key)
    await authenticate(...request)
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const pushed = await this.agent().push({
      ...Object.fromEntries(url.searchParams),
      resource: app.baseUrl,
      authorization_details: JSON.stringify([{ type: 'oid4ac_wallet', actions: ['read'] }]),
    })
    const query = new URLSearchParams({ client_id: this.agent().clientId, request_uri: pushed.json.request_uri })
    this.sentTo = `${url.origin}${url.pathname}?${query}`
  }

  agent(): Agent {
    const { key, dpopKey } = this.keys
    return new Agent(app, this.information?.client_id ?? '', key, dpopKey, principalId)
  }
}

describe('auth(), with a provider that pushes the request', () => {
  test('auth() registers, is sent to a pushed request, exchanges the code and refreshes', async () => {
    const provider = new PushingProvider(
      { key: await newKey(), dpopKey: await newKey() },
      await newSetupToken(app, principalId),
    )
    const options = {
      serverUrl: app.baseUrl,
      fetchFn: dpopFetch({ proof: (...request) => provider.agent().proof(...request) }),
    }
    expect(await auth(provider, options)).toBe('REDIRECT')
    const person = await Person.signIn(app, principalId)
    await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
    const redirect = await exchange(provider.sentTo)
    const { searchParams } = new URL(redirect.headers.get('location') ?? '')
    expect(Object.fromEntries(searchParams)).toMatchObject({ state: 'mcp-state', iss: app.baseUrl })
    const authorizationCode = searchParams.get('code') ?? ''
    expect(await auth(provider, { ...options, authorizationCode })).toBe('AUTHORIZED')
    const { access_token: first = '', scope } = provider.tokens() ?? {}
    expect(scope).toBe('wallet:read')
    expect((await provider.agent().call('GET', '/wallet/agents', first)).status).toBe(200)
    expect(await auth(provider, options)).toBe('AUTHORIZED')
    expect(provider.tokens()?.access_token).not.toBe(first)
  })
})

describe('helpers that do not apply here', () => {
  test('A6 startAuthorization builds a request without PAR, which is refused and not redirected', async () => {
    const { authorizationUrl } = await startAuthorization(app.baseUrl, {
      metadata,
      clientInformation: { client_id: (await newAgent()).clientId },
      redirectUrl: REDIRECT_URI,
      scope: 'wallet:read',
      resource: app.baseUrl,
    })
    const answer = await exchange(String(authorizationUrl))
    expect([answer.status, answer.json['error'], answer.headers.get('location')]).toEqual([
      400,
      'invalid_request',
      null,
    ])
  })

  test('P10 without addClientAuthentication the SDK sends no assertion, which is invalid_client', async () => {
    const agent = await newAgent()
    const { addClientAuthentication: _, ...options } = await tokenOptions(agent)
    const refreshToken = (await agent.buy()).refresh_token
    await expect(refreshAuthorization(app.baseUrl, { ...options, refreshToken })).rejects.toMatchObject({
      errorCode: 'invalid_client',
    })
  })

  test('T9 without a fetch that proves possession there is no token', async () => {
    const agent = await newAgent()
    const { fetchFn: _, ...options } = await tokenOptions(agent)
    const refreshToken = (await agent.buy()).refresh_token
    await expect(refreshAuthorization(app.baseUrl, { ...options, refreshToken })).rejects.toThrow('DPoP')
  })

  test('T13 PrivateKeyJwtProvider asks for client_credentials, which is no grant of this server', async () => {
    const agent = await newAgent()
    const provider = new PrivateKeyJwtProvider({
      clientId: agent.clientId,
      privateKey: { ...(await exportJWK(agent.key.privateKey)) },
      algorithm: agent.key.alg,
      expectedIssuer: app.baseUrl,
    })
    await expect(fetchToken(provider, app.baseUrl, { metadata, fetchFn: dpopFetch(agent) })).rejects.toMatchObject({
      errorCode: 'unsupported_grant_type',
    })
  })

  test('extractWWWAuthenticateParams reads Bearer challenges alone, and here DPoP comes first', async () => {
    const response = await fetch(`${app.baseUrl}/wallet/agents`)
    expect(response.headers.get('www-authenticate')).toMatch(/^DPoP .*, Bearer /)
    expect(extractWWWAuthenticateParams(response)).toEqual({})
  })

  test('the registration schema drops the registration access token, which has to be read from the answer itself', async () => {
    const answers: Record<string, string>[] = []
    const registered = await registerClient(app.baseUrl, {
      metadata,
      clientMetadata: {
        redirect_uris: [REDIRECT_URI],
        jwks: { keys: [(await newKey()).jwk] },
        software_statement: await newSetupToken(app, principalId),
      },
      fetchFn: async (...request) => {
        const response = await fetch(...request)
        answers.push((await response.clone().json()) as Record<string, string>)
        return response
      },
    })
    expect(registered).not.toHaveProperty('registration_access_token')
    const read = await exchange(answers[0]?.['registration_client_uri'] ?? '', {
      headers: { authorization: `Bearer ${answers[0]?.['registration_access_token']}` },
    })
    expect(read.json).toMatchObject({ client_id: registered.client_id })
  })

  test('the token schema drops the mandate, which has to be read from the answer itself', async () => {
    const agent = await newAgent()
    const { code, verifier } = await agent.code()
    const answers: TokenAnswer[] = []
    const { fetchFn, ...options } = await tokenOptions(agent)
    const tokens = await exchangeAuthorization(app.baseUrl, {
      ...options,
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: REDIRECT_URI,
      fetchFn: async (...request) => {
        const response = await fetchFn(...request)
        answers.push((await response.clone().json()) as TokenAnswer)
        return response
      },
    })
    expect(tokens).not.toHaveProperty('mandate_jwt')
    const [answer] = answers
    const settled = await agent.settle(tokens.access_token, answer?.mandate_jwt ?? '', 'mcp-order')
    expect(settled.json).toMatchObject({ status: 'succeeded', mandate_id: answer?.mandate_id })
  })
})
