import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { BASE64URL_32_BYTES, pathId, text } from '../../base/contract/wire'
import { dcqlQuery } from '../../base/protocol/dcql'
import { NONCE_MAX_CHARS } from '../../base/protocol/lifetimes'
import { transactionData } from './transaction-contract'
import { presentationRefusals, VP_TOKEN_MAX_BYTES, verifiedPresentations } from './verify-contract'

const tag = 'Presentations'
const params = z.object({ request_id: pathId })

const REFERENCE_MAX_CHARS = 512
const ERROR_MAX_CHARS = 256
const DESCRIPTION_MAX_CHARS = 1_024

const createRequestBody = z
  .object({
    dcql_query: dcqlQuery,
    transaction_data: transactionData.optional(),
    response_mode: z.enum(['direct_post.jwt', 'direct_post']).default('direct_post.jwt'),
    jkt: z
      .string()
      .regex(BASE64URL_32_BYTES, { error: 'must be a SHA-256 thumbprint as base64url' })
      .optional()
      .meta({ description: 'Thumbprint of the key that must present (RFC 7638).' }),
    region: z.string().max(REFERENCE_MAX_CHARS).optional().meta({
      description: 'Whose trust list decides which issuers count; those of all regions when absent.',
    }),
  })
  .meta({ id: 'PresentationRequestBody' })

export const createPresentationRequestEndpoint = defineEndpoint({
  operationId: 'createPresentationRequest',
  method: 'POST',
  path: '/eudiw/request',
  summary: 'Ask a wallet to present credentials',
  tag,
  access: { actor: 'backend' },
  switch: 'presentation_request',
  body: { kind: 'json', schema: createRequestBody },
  output: z
    .strictObject({
      request_uri: z.url(),
      deep_link: z.string(),
      qr_payload: z.string(),
      nonce: z.string(),
      state: z.string(),
    })
    .meta({ id: 'CreatedPresentationRequest' }),
  refusal: 'validation',
  refusals: ['region_unsupported', 'request_object_invalid'],
})

export const serveRequestObjectEndpoint = defineEndpoint({
  operationId: 'serveRequestObject',
  method: 'POST',
  path: '/eudiw/request/{request_id}',
  summary: 'Fetch the signed request object, as the wallet does (RFC 9101)',
  tag,
  access: { actor: 'anonymous' },
  switch: 'presentation_request',
  params,
  body: {
    kind: 'json',
    optional: true,
    orForm: true,
    schema: z
      .object({
        wallet_metadata: z
          .union([z.string(), z.record(z.string(), z.unknown())])
          .optional()
          .meta({ description: 'A JSON object or its text (OpenID4VP section 5.10).' }),
        wallet_nonce: text(NONCE_MAX_CHARS).min(1).optional(),
      })
      .meta({ id: 'RequestObjectRequest' }),
  },
  produces: 'application/oauth-authz-req+jwt',
  output: z.string(),
  refusal: 'oauth',
  refusals: ['not_found', 'request_object_invalid', 'vp_formats_not_supported'],
})

export const takeWalletResponseEndpoint = defineEndpoint({
  operationId: 'takeWalletResponse',
  method: 'POST',
  path: '/eudiw/response/{request_id}',
  summary: "Submit the wallet's response, once",
  tag,
  access: { actor: 'anonymous' },
  switch: 'presentation_verify',
  params,
  body: {
    kind: 'form',
    maxBytes: VP_TOKEN_MAX_BYTES,
    otherType: 'unsupported_media_type',
    schema: z
      .object({
        response: z.string().optional().meta({ description: 'The parameters as JWE (`direct_post.jwt`).' }),
        vp_token: z.string().optional(),
        state: z.string().max(REFERENCE_MAX_CHARS).optional(),
        error: text(ERROR_MAX_CHARS).optional(),
        error_description: text(DESCRIPTION_MAX_CHARS).optional(),
      })
      .meta({ id: 'WalletResponse' }),
  },
  output: z.strictObject({}).meta({ id: 'WalletResponseTaken' }),
  refusal: 'oauth',
  refusals: ['not_found', 'conflict', ...presentationRefusals],
})

export const readPresentationResultEndpoint = defineEndpoint({
  operationId: 'readPresentationResult',
  method: 'GET',
  path: '/eudiw/response/{request_id}',
  summary: 'Read the outcome of a presentation request, until a day after its end',
  tag,
  access: { actor: 'backend' },
  params,
  output: z
    .strictObject({
      request_id: z.string(),
      state: z.string(),
      status: z.enum(['pending', 'verified', 'rejected', 'expired']),
      result: verifiedPresentations.optional(),
      error: z.string().optional(),
      error_description: z.string().optional(),
    })
    .meta({ id: 'PresentationResult' }),
  refusal: 'validation',
  refusals: ['not_found'],
})
