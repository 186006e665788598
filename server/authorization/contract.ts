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
  output: z.never(),
  status: 302,
  consuming: true,
  refusal: 'oauth',
  refusals: ['invalid_request_uri'],
})
