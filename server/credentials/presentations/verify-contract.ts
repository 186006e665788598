import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { text, timestamp } from '../../base/contract/wire'
import type { ErrorCode } from '../../base/core/errors'
import { NONCE_MAX_CHARS, URI_MAX_CHARS } from '../../base/protocol/lifetimes'

/** A body with a `vp_token`: several presentations of 64 KiB each. */
export const VP_TOKEN_MAX_BYTES = 262_144

/** The reasons for which well-formed presentations are refused. */
export const presentationRefusals = [
  'attestation_revoked',
  'audience_mismatch',
  'holder_binding_missing',
  'issuer_untrusted',
  'nonce_mismatch',
  'presentation_expired',
  'region_unsupported',
  'vp_formats_not_supported',
  'vp_token_invalid',
] as const satisfies readonly ErrorCode[]

const vpToken = z
  .union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())], {
    error: ({ input }) =>
      input === undefined ? 'Field required' : 'must be a string, an array of strings or an object',
  })
  .meta({
    description:
      'The object of a DCQL query (or its text): query ids with arrays of presentations. Or one compact presentation, or an array of them, described by `presentation_submission`.',
  })

const verifyRequest = z
  .object({
    vp_token: vpToken,
    presentation_submission: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Presentation Exchange; null or an empty object beside a DCQL answer, which needs none.',
    }),
    region: z.string().max(256).meta({ description: 'Whose trust list decides which issuers count.' }),
    expected_aud: text(URI_MAX_CHARS).min(1).optional().meta({
      description:
        'The audience of the key binding. By default ours: the client_id of presentation requests, or the issuer.',
    }),
    expected_nonce: text(NONCE_MAX_CHARS).min(1).optional().meta({
      description: 'The nonce of the key binding. Without it any is accepted and returned, for the caller to compare.',
    }),
  })
  .meta({ id: 'VerifyPresentationRequest' })

const result = {
  verified: z.literal(true),
  format: z.literal('dc+sd-jwt'),
  vct: z.string(),
  issuer: z.string(),
  region: z.string(),
  claims: z.record(z.string(), z.unknown()).meta({
    description: 'What the issuer says of the subject, with what the holder disclosed.',
  }),
  holder: z.strictObject({
    jkt: z.string().meta({ description: 'Thumbprint of the key that the attestation is bound to (RFC 7638).' }),
  }),
  nonce: z.string(),
  aud: z.string(),
  status: z.enum(['valid', 'none']).meta({ description: '`none`: the issuer publishes no status.' }),
  transaction_data_hashes: z.array(z.string()).optional(),
  verified_at: timestamp,
}

const presentationResult = z.strictObject({ id: z.string().optional(), ...result })
export type PresentationResult = z.output<typeof presentationResult>

/** All verified presentations; the members beside them are those of the first. */
export const verifiedPresentations = z
  .strictObject({ ...result, presentations: z.array(presentationResult) })
  .meta({ id: 'VerifiedPresentations' })
export type VerifiedPresentations = z.output<typeof verifiedPresentations>

export const verifyEndpoint = defineEndpoint({
  operationId: 'verifyPresentation',
  method: 'POST',
  path: '/eudiw/verify',
  summary: 'Verify presentations of attestations that a region trusts',
  tag: 'Presentations',
  access: { actor: 'backend' },
  switch: 'presentation_verify',
  body: { kind: 'json', schema: verifyRequest, maxBytes: VP_TOKEN_MAX_BYTES },
  output: verifiedPresentations,
  refusal: 'validation',
  refusals: presentationRefusals,
})
