import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { scopes } from '../../base/contract/scopes'
import { identifier, pathId, text } from '../../base/contract/wire'

const tag = 'Clients'
/** The quota per address, because callers are not authenticated yet. */
const addressQuota = { limit: 3_000, windowSeconds: 60 } as const

export const setupTokenReply = z
  .strictObject({
    setup_token: z.string().length(43),
    expires_in: z.int().positive(),
    qr_payload: z.string().startsWith('oid4ac://register?setup_token='),
  })
  .meta({ id: 'SetupToken' })

export const createSetupTokenEndpoint = defineEndpoint({
  operationId: 'createSetupToken',
  method: 'POST',
  path: '/wallet/setup-tokens',
  summary: 'Mint a single-use setup token that binds a new agent to a person',
  tag,
  access: { actor: 'client', kind: 'wallet', dpop: 'mint', credentials: 'body', consumes: 'kit' },
  body: {
    kind: 'json',
    schema: z
      .looseObject({
        principal_id: identifier(255),
        client_id: identifier(255),
        client_assertion_type: text(255),
        client_assertion: text(16_384),
        scope: text(1_024).optional(),
      })
      .meta({ id: 'SetupTokenRequest' }),
  },
  output: setupTokenReply,
  status: 201,
  refusal: 'validation',
  refusals: ['not_found', 'invalid_scope', 'access_denied', 'rate_limited'],
})

/** The RFC 7591 metadata that is stored and returned. */
export const clientMetadata = z
  .looseObject({
    client_id: z.string(),
    client_id_issued_at: z.int(),
    registration_access_token: z.string(),
    registration_client_uri: z.string(),
    principal_id: z.string(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.literal('private_key_jwt'),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    scope: z.string(),
    jwks: z.looseObject({ keys: z.array(z.record(z.string(), z.unknown())) }),
    client_name: z.string(),
    purpose: z.string().optional(),
  })
  .meta({ id: 'ClientRegistration' })

export const registerClientEndpoint = defineEndpoint({
  operationId: 'registerClient',
  method: 'POST',
  path: '/oauth/register',
  summary: 'Register an agent with a setup token (RFC 7591)',
  tag,
  access: { actor: 'anonymous' },
  body: {
    kind: 'json',
    malformed: 'invalid_client_metadata',
    schema: z
      .looseObject({
        // All optional here, because missing ones have their own error codes (RFC 7591 section 3.2.2).
        redirect_uris: z.unknown().optional().meta({ description: 'Required.' }),
        jwks: z.unknown().optional().meta({ description: 'Required: public keys, Ed25519 or P-256.' }),
        software_statement: z.unknown().optional().meta({ description: 'Required: the setup token.' }),
        setup_token: z.unknown().optional().meta({ description: 'Alias of software_statement.' }),
        token_endpoint_auth_method: z.unknown().optional(),
        grant_types: z.unknown().optional(),
        response_types: z.unknown().optional(),
        scope: z
          .unknown()
          .optional()
          .meta({ description: `Space-separated, within ${scopes.join(' ')}.` }),
        client_name: z.unknown().optional(),
        purpose: z.unknown().optional(),
      })
      .meta({ id: 'ClientRegistrationRequest' }),
  },
  output: clientMetadata,
  status: 201,
  refusal: 'oauth',
  refusals: ['invalid_client_metadata', 'invalid_redirect_uri', 'invalid_software_statement'],
  quota: { limit: 60, setting: 'registrationsPerMinute', windowSeconds: 60 },
})

export const readClientEndpoint = defineEndpoint({
  operationId: 'readClient',
  method: 'GET',
  path: '/oauth/register/{client_id}',
  summary: 'Read a registration with its registration access token (RFC 7592)',
  tag,
  access: { actor: 'anonymous' },
  params: z.object({ client_id: pathId }),
  headers: ['authorization'],
  output: clientMetadata,
  refusal: 'oauth',
  refusals: ['invalid_token'],
  quota: addressQuota,
})
