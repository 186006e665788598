import * as z from 'zod'
import { defineEndpoint } from '../contract/endpoint'

const parameter = (description: string) => z.string().max(65_536).optional().meta({ description })

export const issueTokenEndpoint = defineEndpoint({
  operationId: 'issueToken',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Redeem an authorization code or rotate a refresh token',
  tag: 'Tokens',
  access: { actor: 'client', kind: 'agent', dpop: 'mint', credentials: 'body', consumes: 'verb' },
  body: {
    kind: 'form',
    repeatable: ['resource'],
    schema: z
      .object({
        grant_type: parameter('authorization_code or refresh_token.'),
        code: parameter('The authorization code.'),
        redirect_uri: parameter('The address of the pushed request.'),
        code_verifier: parameter('PKCE verifier (RFC 7636).'),
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
      authorization_details: z.array(z.record(z.string(), z.unknown())),
      mandate_jwt: z.string().optional(),
      mandate_id: z.string().optional(),
    })
    .meta({ id: 'TokenResponse' }),
  refusal: 'oauth',
  refusals: [
    'access_denied',
    'invalid_authorization_details',
    'invalid_grant',
    'invalid_scope',
    'invalid_target',
    'unauthorized_client',
    'unsupported_grant_type',
  ],
})
export type TokenParameters = z.output<(typeof issueTokenEndpoint)['body']['schema']>
