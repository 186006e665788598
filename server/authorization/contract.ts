import * as z from 'zod'
import { defineEndpoint } from '../contract/endpoint'

export const authorizeEndpoint = defineEndpoint({
  operationId: 'authorize',
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Exchange a decided pushed request for an authorization code, by redirect',
  tag: 'Authorization',
  access: { actor: 'anonymous' },
  query: z.object({
    request_uri: z.string().max(512).optional(),
    client_id: z.string().max(256).optional(),
  }),
  output: z
    .strictObject({ status: z.literal('confirmation_sent'), expires_in: z.int().positive() })
    .meta({ id: 'ConfirmationSent' }),
  redirects: 'or-202',
  consuming: true,
  refusal: 'oauth',
  refusals: ['invalid_request_uri'],
})

export const confirmMagicLinkEndpoint = defineEndpoint({
  operationId: 'confirmMagicLink',
  method: 'GET',
  path: '/oauth/magic-link/confirm',
  summary: 'Use up a mailed link: the code goes to the agent, by redirect',
  tag: 'Authorization',
  access: { actor: 'anonymous' },
  query: z.object({ token: z.string().max(256).optional() }),
  output: z.never(),
  redirects: 'always',
  quota: { limit: 300, windowSeconds: 60 },
  consuming: true,
  refusal: 'oauth',
})
