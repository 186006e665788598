/**
 * The peer, configured for the same work: pushed requests, DPoP with nonces, Ed25519 throughout, rotation, no person
 * who is asked.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  type AdapterFactory,
  type ClientMetadata,
  type Configuration,
  type Grant,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'

const ACCESS_TOKEN_SECONDS = 300
const DAY_SECONDS = 86_400

interface PeerOptions {
  readonly issuer: string
  readonly adapter: AdapterFactory
  readonly clients: ClientMetadata[]
}

export function createPeer({ issuer, adapter, clients }: PeerOptions): Provider {
  return new Provider(issuer, {
    ...configuration,
    adapter,
    clients,
    jwks: { keys: [newSigningKey()] },
  })
}

/** Countersign's paths, so that one load suits both. */
const routes = {
  pushed_authorization_request: '/oauth/par',
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
}

const features: Configuration['features'] = {
  devInteractions: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
  pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
  dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
  introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  resourceIndicators: {
    enabled: true,
    useGrantedResource: () => true,
    getResourceServerInfo: () => ({
      scope: 'oid4ac:payment payment:execute',
      accessTokenFormat: 'jwt',
      accessTokenTTL: ACCESS_TOKEN_SECONDS,
      jwt: { sign: { alg: 'EdDSA' } },
    }),
  },
  richAuthorizationRequests: {
    enabled: true,
    types: { oid4ac_mandate: { validate: () => undefined } },
    authorizationDetailsForGrantSource: (ctx) => JSON.parse(String(ctx.oidc.params?.['authorization_details'])),
    authorizationDetailsForAccessToken: (_ctx, _token, source) => (source && 'rar' in source ? source.rar : undefined),
    authorizationDetailsForIntrospection: (_ctx, token) => ('rar' in token ? token.rar : undefined),
  },
}

const configuration: Configuration = {
  routes,
  features,
  interactions: { policy: [] },
  loadExistingGrant: grantEverything,
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  pkce: { required: () => true },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  // Otherwise each use of a code or token would read the session again.
  expiresWithSession: () => false,
  clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
  ttl: {
    AccessToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: 60,
    Grant: DAY_SECONDS,
    Interaction: 3600,
    RefreshToken: DAY_SECONDS,
    Session: DAY_SECONDS,
  },
}

/**
 * Grants everything in place of the person. Each purchase has its own grant, since a revocation ends everything under
 * one.
 */
async function grantEverything({ oidc }: KoaContextWithOIDC): Promise<Grant> {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client?.clientId,
    accountId: oidc.account?.accountId,
  })
  for (const resource of Object.keys(oidc.resourceServers ?? {})) {
    grant.addResourceScope(resource, String(oidc.params?.['scope']))
  }
  await grant.save()
  return grant
}

function newSigningKey() {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { ...jwk, kid: 'peer', use: 'sig', alg: 'EdDSA' }
}
