import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { timestamp } from '../../base/contract/wire'
import { clientIdPrefixes } from '../../base/protocol/access-certificate'

const common = { tag: 'Operator', access: { actor: 'operator' }, refusal: 'validation' } as const

const CHAIN_MAX = 8
const VERIFIER_INFO_MAX = 16
const TEXT_MAX_CHARS = 16_384
const FORMAT_MAX_CHARS = 256

const verifierInfo = z
  .looseObject({
    format: z.string().min(1).max(FORMAT_MAX_CHARS),
    data: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
  })
  .meta({ id: 'VerifierInfo', description: 'For instance a registration certificate (OpenID4VP section 5.1).' })
export type VerifierInfo = z.output<typeof verifierInfo>

const relyingParty = z
  .discriminatedUnion('provisioned', [
    z.strictObject({
      provisioned: z.literal(true),
      client_id: z.string().meta({ description: 'Names this verifier to wallets, prefix included.' }),
      x5c: z.array(z.string()).meta({ description: 'Base64 DER, leaf first, without the trust anchor.' }),
      anchor: z.string().nullable(),
      not_after: timestamp,
    }),
    z.strictObject({ provisioned: z.literal(false) }),
  ])
  .meta({ id: 'RelyingParty' })
export type RelyingPartyAnswer = z.output<typeof relyingParty>

export const saveRelyingPartyEndpoint = defineEndpoint({
  ...common,
  operationId: 'saveRelyingParty',
  method: 'PUT',
  path: '/operator/relying-party',
  summary: 'Replace the access certificate that presentation requests are signed with, in every process at once',
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        certificate_chain: z
          .array(z.string().max(TEXT_MAX_CHARS))
          .min(1)
          .max(CHAIN_MAX)
          .meta({ description: 'PEM or base64 DER, leaf first; the trust anchor may be last.' }),
        private_key: z.string().max(TEXT_MAX_CHARS).meta({ description: 'P-256, PKCS#8 in PEM.' }),
        client_id_prefix: z.enum(clientIdPrefixes).default('x509_hash'),
        verifier_info: z.array(verifierInfo).min(1).max(VERIFIER_INFO_MAX).optional(),
      })
      .meta({ id: 'RelyingPartyRequest' }),
  },
  output: relyingParty,
})

export const readRelyingPartyEndpoint = defineEndpoint({
  ...common,
  operationId: 'readRelyingParty',
  method: 'GET',
  path: '/operator/relying-party',
  summary: 'Read the access certificate that presentation requests are signed with',
  output: relyingParty,
})

export const deleteRelyingPartyEndpoint = defineEndpoint({
  ...common,
  operationId: 'deleteRelyingParty',
  method: 'DELETE',
  path: '/operator/relying-party',
  summary: 'Remove the access certificate; presentation requests are refused from then on',
  output: z.null(),
  status: 204,
})
