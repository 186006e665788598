import { scopes } from '../../base/contract/scopes'
import { acrs, acrValue } from '../../base/core/authentication'
import type { AnonymousCall } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { mandateType } from '../../base/protocol/mandate'
import { PRE_AUTHORIZED_GRANT } from '../credential-offers/contract'
import { publicJson } from './public-json'

interface Conditional {
  readonly headers: { readonly 'if-none-match': string | undefined }
}

/** GET /.well-known/oauth-authorization-server: returns the metadata, only with features that work on this server. */
export async function readServerMetadata({ platform, now }: AnonymousCall, { headers }: Conditional) {
  return publicJson(buildServerMetadata(platform, now), headers['if-none-match'])
}

/** Returns the metadata of RFC 8414. */
export function buildServerMetadata(platform: Platform, now: Date) {
  const { baseUrl, legacyRs256Until } = platform.config
  const isLegacy = legacyRs256Until !== null && now < legacyRs256Until
  const algorithms = ['EdDSA', 'Ed25519', 'ES256', ...(isLegacy ? ['RS256'] : [])]
  const clientAuthentication = Object.fromEntries(
    ['token', 'introspection', 'revocation'].flatMap((endpoint) => [
      [`${endpoint}_endpoint_auth_methods_supported`, ['private_key_jwt']],
      [`${endpoint}_endpoint_auth_signing_alg_values_supported`, algorithms],
    ]),
  )
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    jwks_uri: `${baseUrl}/oauth/jwks.json`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${baseUrl}/oauth/par`,
    require_pushed_authorization_requests: true,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', PRE_AUTHORIZED_GRANT],
    'pre-authorized_grant_anonymous_access_supported': true,
    code_challenge_methods_supported: ['S256'],
    ...clientAuthentication,
    dpop_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256'],
    authorization_response_iss_parameter_supported: true,
    authorization_details_types_supported: ['oid4ac_mandate', 'oid4ac_wallet'],
    scopes_supported: scopes,
    acr_values_supported: acrs.map(acrValue),
    status_list_aggregation_endpoint: `${baseUrl}/oauth/status-list`,
    service_documentation: `${baseUrl}/docs/oauth`,
  }
}

/**
 * Returns the key set for both JWKS addresses: all keys but those of `federation` that are next, current or retired but
 * still needed.
 */
export async function readJwks({ platform }: AnonymousCall, { headers }: Conditional) {
  return publicJson({ keys: platform.keys.jwks() }, headers['if-none-match'])
}

/** GET /.well-known/jwt-vc-issuer (SD-JWT VC section 4): returns the issuer's keys for verifiers of mandates. */
export async function readVcIssuer({ platform }: AnonymousCall, { headers }: Conditional) {
  return publicJson({ issuer: platform.config.baseUrl, jwks: { keys: platform.keys.jwks() } }, headers['if-none-match'])
}

/** Returns the type metadata at the address in a mandate's `vct`. */
export async function readMandateType({ platform }: AnonymousCall, { headers }: Conditional) {
  const document = {
    vct: mandateType(platform.config.baseUrl),
    name: 'Payment mandate',
    description: 'The authority of one agent to make one payment to one merchant.',
    claims: [
      { path: ['aud'], sd: 'never' },
      { path: ['amount_minor'], sd: 'never' },
      { path: ['currency'], sd: 'never' },
      { path: ['offer_digest'], sd: 'never' },
      { path: ['principal'], sd: 'always' },
      { path: ['line_items'], sd: 'always' },
      { path: ['instrument'], sd: 'always' },
      { path: ['age_equal_or_over'], sd: 'always' },
    ],
  }
  return publicJson(document, headers['if-none-match'])
}
