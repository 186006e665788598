import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { timestamp } from '../../base/contract/wire'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'

export const ENTITY_STATEMENT_MEDIA_TYPE = 'application/entity-statement+jwt'
export const TRUST_MARK_MEDIA_TYPE = 'application/trust-mark+jwt'
export const TRUST_MARK_STATUS_MEDIA_TYPE = 'application/trust-mark-status-response+jwt'
export const RESOLVE_MEDIA_TYPE = 'application/resolve-response+jwt'

const common = {
  tag: 'Federation',
  access: { actor: 'anonymous' },
  switch: 'federation',
  refusal: 'oauth-validation',
} as const

const compactJwt = z.string().meta({ description: 'A compact JWS.' })
const entityId = z.string().meta({ description: 'An entity identifier.', example: 'https://shop.example' })
/** A query parameter that may be repeated. */
const several = z.array(z.string()).optional()

const RESOLVES_PER_MINUTE = 300
const KEYS_PER_MINUTE = 600

export const readEntityConfigurationEndpoint = defineEndpoint({
  ...common,
  operationId: 'readEntityConfiguration',
  method: 'GET',
  path: '/.well-known/openid-federation',
  summary: 'Read the entity configuration of this trust anchor (OpenID Federation 1.0)',
  output: compactJwt,
  produces: ENTITY_STATEMENT_MEDIA_TYPE,
})

export const fetchStatementEndpoint = defineEndpoint({
  ...common,
  operationId: 'fetchSubordinateStatement',
  method: 'GET',
  path: '/federation/fetch',
  summary: 'Read the statement of this trust anchor about an active subordinate',
  query: z.object({ sub: entityId }),
  repeatable: [],
  output: compactJwt,
  produces: ENTITY_STATEMENT_MEDIA_TYPE,
  refusals: ['not_found', 'invalid_request'],
  statusOf: { invalid_request: 404 },
})

export const listSubordinateIdsEndpoint = defineEndpoint({
  ...common,
  operationId: 'listSubordinateIds',
  method: 'GET',
  path: '/federation/list',
  summary: 'List the active subordinates',
  query: z.object({
    entity_type: several,
    trust_marked: z.enum(['true', 'false']).optional(),
    trust_mark_type: z.string().optional(),
    trust_mark_id: z.string().optional().meta({ description: 'The same as `trust_mark_type`.' }),
    intermediate: z.string().optional().meta({ description: 'Not supported.' }),
  }),
  repeatable: ['entity_type'],
  output: z.array(z.string()).meta({ id: 'SubordinateIds' }),
  refusals: ['unsupported_parameter', 'invalid_request'],
})

const markQuery = z.object({
  sub: entityId,
  trust_mark_id: z.string().optional(),
  trust_mark_type: z.string().optional().meta({ description: 'The same as `trust_mark_id`; one of both is needed.' }),
})

export const issueTrustMarkEndpoint = defineEndpoint({
  ...common,
  operationId: 'issueTrustMark',
  method: 'GET',
  path: '/federation/trust-mark',
  summary: 'Get a trust mark of an active subordinate that may hold it',
  query: markQuery,
  repeatable: [],
  output: compactJwt,
  produces: TRUST_MARK_MEDIA_TYPE,
  refusals: ['not_found', 'invalid_request'],
})

export const checkTrustMarkEndpoint = defineEndpoint({
  ...common,
  operationId: 'checkTrustMark',
  method: 'GET',
  path: '/federation/trust-mark-status',
  summary: 'Check whether a trust mark is active',
  query: z.object({ sub: several, trust_mark_id: several, trust_mark_type: several, trust_mark: several }),
  repeatable: ['sub', 'trust_mark_id', 'trust_mark_type', 'trust_mark'],
  lenientQuery: true,
  headers: ['accept'],
  output: z.strictObject({ active: z.boolean() }).meta({ id: 'TrustMarkActivity' }),
  produces: ['application/json', TRUST_MARK_STATUS_MEDIA_TYPE],
  // Only when the signed answer is requested.
  refusals: ['not_found', 'invalid_request'],
})

export const readTrustMarkStatusEndpoint = defineEndpoint({
  ...common,
  operationId: 'readTrustMarkStatus',
  method: 'POST',
  path: '/federation/trust-mark-status',
  summary: 'Read the signed status of a trust mark (section 8.4)',
  body: {
    kind: 'form',
    schema: z.object({ trust_mark: z.string() }).meta({ id: 'TrustMarkStatusRequest' }),
    otherType: 'unsupported_media_type',
  },
  output: compactJwt,
  produces: TRUST_MARK_STATUS_MEDIA_TYPE,
  refusal: 'oauth',
  refusals: ['not_found'],
})

export const revokeTrustMarkEndpoint = defineEndpoint({
  ...common,
  access: { actor: 'backend', operatorOnly: true },
  operationId: 'revokeTrustMark',
  method: 'POST',
  path: '/federation/trust-mark/revoke',
  summary: 'Revoke a trust mark that was issued; others of the subordinate stay',
  query: markQuery,
  repeatable: [],
  output: z
    .strictObject({ sub: z.string(), trust_mark_id: z.string(), trust_mark_type: z.string(), revoked_at: timestamp })
    .meta({ id: 'RevokedTrustMark' }),
  refusals: ['not_found'],
})

export const resolveEntityEndpoint = defineEndpoint({
  ...common,
  operationId: 'resolveEntity',
  method: 'GET',
  path: '/federation/resolve',
  summary: 'Resolve the metadata and trust chain of an entity below this trust anchor',
  query: z.object({
    sub: entityId,
    anchor: z.string().optional(),
    trust_anchor: several,
    entity_type: several,
  }),
  repeatable: ['trust_anchor', 'entity_type'],
  output: compactJwt,
  produces: RESOLVE_MEDIA_TYPE,
  refusals: ['invalid_subject', 'invalid_trust_anchor', 'invalid_trust_chain', 'invalid_metadata'],
  quota: { limit: RESOLVES_PER_MINUTE, windowSeconds: 60 },
})

export const readMerchantKeysEndpoint = defineEndpoint({
  ...common,
  operationId: 'readMerchantKeys',
  method: 'GET',
  path: '/federation/merchant-keys',
  summary: 'Read the keys that an enrolled merchant signs its catalog and receipts with, from its resolved metadata',
  query: z.object({ merchant: z.string().max(URI_MAX_CHARS).meta({ description: "The merchant's audience." }) }),
  repeatable: [],
  output: z
    .strictObject({
      merchant_audience: z.string(),
      federation_entity_id: z.string(),
      keys: z
        .array(z.record(z.string(), z.unknown()))
        .meta({ description: 'None while the merchant is not verified: nothing that it signed counts.' }),
    })
    .meta({ id: 'MerchantKeys' }),
  refusals: ['not_found'],
  quota: { limit: KEYS_PER_MINUTE, windowSeconds: 60 },
})
