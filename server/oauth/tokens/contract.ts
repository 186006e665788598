import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { PRE_AUTHORIZED_GRANT } from '../credential-offers/contract'

const tag = 'Tokens'
const parameter = (description: string) => z.string().max(65_536).optional().meta({ description })

export const issueTokenEndpoint = defineEndpoint({
  operationId: 'issueToken',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Issue tokens for an authorization code, refresh token or pre-authorized code (RFC 6749, OpenID4VCI)',
  tag,
  access: {
    actor: 'client',
    kind: 'agent',
    dpop: 'mint',
    credentials: 'body',
    consumes: 'verb',
    anonymousGrant: PRE_AUTHORIZED_GRANT,
  },
  headers: ['idempotency-key'],
  body: {
    kind: 'form',
    repeatable: ['resource'],
    digest: true,
    schema: z
      .object({
        grant_type: parameter(
          `authorization_code, refresh_token, or ${PRE_AUTHORIZED_GRANT}, which takes no client authentication.`,
        ),
        code: parameter('The authorization code.'),
        redirect_uri: parameter('The redirect_uri of the pushed request.'),
        code_verifier: parameter('PKCE verifier (RFC 7636).'),
        'pre-authorized_code': parameter('Of a credential offer (OpenID4VCI section 6.1).'),
        tx_code: parameter('The transaction code, when the offer asks for one.'),
        refresh_token: parameter('The newest refresh token of the family.'),
        scope: parameter('Refresh only: within the grant.'),
        resource: z.array(z.string()).optional().meta({ description: 'Narrows the audience (RFC 8707).' }),
        authorization_details: parameter('Narrows the authorization (RFC 9396 section 6).'),
      })
      .meta({ id: 'TokenRequest' }),
  },
  output: z
    .strictObject({
      access_token: z.string(),
      token_type: z.literal('DPoP'),
      expires_in: z.int().positive(),
      refresh_token: z.string().optional(),
      scope: z.string(),
      authorization_details: z.array(z.record(z.string(), z.unknown())).optional(),
      mandate_jwt: z.string().optional(),
      mandate_id: z.string().optional(),
    })
    .meta({ id: 'TokenResponse' }),
  refusal: 'oauth',
  refusals: [
    'access_denied',
    'credential_request_denied',
    'idempotency_conflict',
    'idempotency_in_flight',
    'invalid_authorization_details',
    'invalid_grant',
    'invalid_scope',
    'invalid_target',
    'unauthorized_client',
    'unsupported_grant_type',
  ],
})
export type TokenParameters = z.output<(typeof issueTokenEndpoint)['body']['schema']>

const tokenTypeHint = {
  token_type_hint: parameter('access_token or refresh_token; a wrong or unknown hint makes no difference.'),
}

export const introspectTokenEndpoint = defineEndpoint({
  operationId: 'introspectToken',
  method: 'POST',
  path: '/oauth/introspect',
  summary: 'Check whether a token is active (RFC 7662)',
  tag,
  access: { actor: 'client', kind: 'any', dpop: 'none', credentials: 'body', consumes: 'verb' },
  body: {
    kind: 'form',
    schema: z
      .object({ token: z.string().max(65_536), client_id: z.string().max(256), ...tokenTypeHint })
      .meta({ id: 'IntrospectionRequest' }),
  },
  output: z
    .strictObject({
      active: z.boolean(),
      iss: z.string().optional(),
      sub: z.string().optional(),
      aud: z.union([z.string(), z.array(z.string())]).optional(),
      client_id: z.string().optional(),
      jti: z.string().optional(),
      exp: z.int().optional(),
      iat: z.int().optional(),
      scope: z.string().optional(),
      token_type: z.literal('DPoP').optional(),
      acr: z.string().optional(),
      auth_time: z.int().optional(),
      cnf: z.strictObject({ jkt: z.string() }).optional(),
      authorization_details: z.array(z.record(z.string(), z.unknown())).optional(),
      mandate_id: z.string().optional(),
    })
    .meta({ id: 'IntrospectionResponse' }),
  refusal: 'oauth-validation',
})

export const revokeTokenEndpoint = defineEndpoint({
  operationId: 'revokeToken',
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Revoke a token and its family (RFC 7009)',
  tag,
  access: { actor: 'client', kind: 'any', dpop: 'none', credentials: 'body', consumes: 'verb' },
  body: {
    kind: 'form',
    schema: z.object({ token: z.string().max(65_536), ...tokenTypeHint }).meta({ id: 'RevocationRequest' }),
  },
  output: z.null(),
  refusal: 'oauth',
})
