import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { pathId, timestamp } from '../../base/contract/wire'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'

const common = { tag: 'Operator', access: { actor: 'operator' }, refusal: 'validation' } as const

/** The algorithms with which credentials of other issuers, and their key bindings, may be signed. */
export const attestationAlgorithms = ['ES256', 'EdDSA', 'Ed25519'] as const
export type AttestationAlgorithm = (typeof attestationAlgorithms)[number]

const ISSUERS_MAX = 200
const TYPES_MAX = 100
const ROOTS_MAX = 20
const TYPE_MAX_CHARS = 512
/** A certificate of 16 KiB in base64. */
const ROOT_MAX_CHARS = 21_848

const unique = (list: readonly string[]) => new Set(list).size === list.length

const listedIssuer = z
  .strictObject({
    issuer: z
      .string()
      .max(URI_MAX_CHARS)
      .meta({ description: 'Compared exactly with `iss`.', example: 'https://issuer.example' }),
    algs: z
      .array(z.enum(attestationAlgorithms))
      .min(1)
      .refine(unique, { error: 'names an algorithm twice' })
      .meta({ description: 'Of the credential and of its key binding.' }),
    vct_values: z
      .array(z.string().min(1).max(TYPE_MAX_CHARS))
      .min(1)
      .max(TYPES_MAX)
      .refine(unique, { error: 'names a type twice' })
      .optional()
      .meta({ description: 'The credential types that it is trusted for; all of them when absent.' }),
    jwks: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Public keys (RFC 7517). With them no others count, and nothing is fetched.' }),
    x5c_roots: z
      .array(z.string().min(1).max(ROOT_MAX_CHARS))
      .min(1)
      .max(ROOTS_MAX)
      .refine(unique, { error: 'names a root twice' })
      .optional()
      .meta({
        description:
          'Root certificates as base64 DER that the `x5c` of its credentials leads to. Not used beside `jwks`.',
      }),
  })
  .meta({ id: 'TrustedIssuer' })
export type ListedIssuerInput = z.output<typeof listedIssuer>

const issuers = z
  .array(listedIssuer)
  .max(ISSUERS_MAX)
  .refine((list) => unique(list.map(({ issuer }) => issuer)), { error: 'names an issuer twice' })

const trustList = z.strictObject({ region: z.string(), issuers, updated_at: timestamp }).meta({ id: 'TrustList' })

export const saveTrustListEndpoint = defineEndpoint({
  ...common,
  operationId: 'saveTrustList',
  method: 'PUT',
  path: '/operator/trust-lists/{region}',
  summary: 'Replace the issuers of credentials that a region trusts, in every process at once',
  params: z.object({ region: pathId }),
  body: { kind: 'json', schema: z.strictObject({ issuers }).meta({ id: 'TrustListRequest' }) },
  output: trustList,
})

export const listTrustListsEndpoint = defineEndpoint({
  ...common,
  operationId: 'listTrustLists',
  method: 'GET',
  path: '/operator/trust-lists',
  summary: 'List the regions with the issuers that they trust; our own is trusted in each of them',
  output: z.strictObject({ trust_lists: z.array(trustList) }).meta({ id: 'TrustLists' }),
})

export const deleteTrustListEndpoint = defineEndpoint({
  ...common,
  operationId: 'deleteTrustList',
  method: 'DELETE',
  path: '/operator/trust-lists/{region}',
  summary: 'Remove a region; presentations for it are refused from then on',
  params: z.object({ region: pathId }),
  output: z.null(),
  status: 204,
  refusals: ['not_found'],
})
