import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { timestamp } from '../../base/contract/wire'
import { JWKS_MAX_KEYS, URI_MAX_CHARS } from '../../base/protocol/lifetimes'
import { subordinateStatuses } from '../../credentials/federation'
import { common } from './contract'

const ENTITY_TYPES_MAX = 16
const MARKS_MAX = 64
const NAMES_MAX = 64

const unique = (list: readonly string[]) => new Set(list).size === list.length
const uri = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: 'must be a URL in ASCII' })
  .max(URI_MAX_CHARS)
const typeName = z.string().regex(/^[\x21-\x7e]{1,100}$/, { error: 'must be 1 to 100 visible ASCII characters' })
const hostName = z
  .string()
  .regex(/^\.?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i, {
    error: 'must be a host, or a domain with a period before it',
  })
  .max(253)

/** Returns whether a JSON value can be stored: PostgreSQL takes neither NUL nor lone surrogates. */
const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member))
}
const jsonObject = z.record(z.string(), z.unknown())
const storable = { error: 'must be well-formed Unicode without NUL' }

const entityTypes = z
  .array(typeName)
  .min(1)
  .max(ENTITY_TYPES_MAX)
  .refine(unique, { error: 'names a type twice' })
  .meta({ example: ['openid_relying_party'] })
const jwks = z
  .object({ keys: z.array(jsonObject).min(1).max(JWKS_MAX_KEYS) })
  .refine(isStorable, storable)
  .meta({ description: 'The public federation keys of the entity (RFC 7517), each with a kid of its own.' })
const metadata = z.record(z.string(), jsonObject).refine(isStorable, storable).meta({
  description: 'Overrides what the entity says of itself, by entity type.',
})
const metadataPolicy = z.record(z.string(), z.record(z.string(), jsonObject)).refine(isStorable, storable).meta({
  description: 'What the metadata of the entity and of all below it must meet (OpenID Federation 1.0 section 6.1).',
})
const constraints = z
  .strictObject({
    max_path_length: z.int().min(0).optional(),
    naming_constraints: z
      .strictObject({
        permitted: z.array(hostName).max(NAMES_MAX).optional(),
        excluded: z.array(hostName).max(NAMES_MAX).optional(),
      })
      .optional(),
    allowed_entity_types: z.array(typeName).max(NAMES_MAX).optional(),
  })
  .meta({ id: 'FederationConstraints' })
const trustMarkIds = z.array(uri).max(MARKS_MAX).refine(unique, { error: 'names a trust mark twice' })

const subordinate = z
  .strictObject({
    entity_id: z.string(),
    status: z.enum(subordinateStatuses),
    entity_types: z.array(z.string()),
    jwks: z.strictObject({ keys: z.array(z.record(z.string(), z.unknown())) }),
    metadata: z.record(z.string(), z.unknown()).optional(),
    metadata_policy: z.record(z.string(), z.unknown()).optional(),
    constraints: z.record(z.string(), z.unknown()).optional(),
    trust_mark_ids: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Subordinate' })
export type Subordinate = z.output<typeof subordinate>

const path = '/operator/federation/subordinates'

export const createSubordinateEndpoint = defineEndpoint({
  ...common,
  operationId: 'createSubordinate',
  method: 'POST',
  path,
  summary: 'Enrol an entity into the federation',
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        entity_id: uri,
        entity_types: entityTypes,
        jwks,
        metadata: metadata.optional(),
        metadata_policy: metadataPolicy.optional(),
        constraints: constraints.optional(),
        trust_mark_ids: trustMarkIds.optional(),
      })
      .meta({ id: 'SubordinateRequest' }),
  },
  output: subordinate,
  status: 201,
  refusals: ['conflict'],
})

export const listSubordinatesEndpoint = defineEndpoint({
  ...common,
  operationId: 'listSubordinates',
  method: 'GET',
  path,
  summary: 'List all entities of the federation, of every status',
  output: z.strictObject({ subordinates: z.array(subordinate) }).meta({ id: 'Subordinates' }),
})

export const updateSubordinateEndpoint = defineEndpoint({
  ...common,
  operationId: 'updateSubordinate',
  method: 'PATCH',
  path: `${path}/{entity_id}`,
  summary: 'Change the given fields of an entity, in every process at once; revoking is final',
  params: z.object({ entity_id: z.string().min(1).max(URI_MAX_CHARS) }),
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        status: z.enum(subordinateStatuses),
        entity_types: entityTypes,
        jwks,
        metadata: metadata.nullable(),
        metadata_policy: metadataPolicy.nullable(),
        constraints: constraints.nullable(),
        trust_mark_ids: trustMarkIds,
        reinstate_trust_mark_ids: trustMarkIds.meta({
          description: 'Revoked marks that may be issued again; marks that were signed before stay inactive.',
        }),
      })
      .partial()
      .meta({ id: 'SubordinateChanges' }),
  },
  output: subordinate,
  refusals: ['not_found', 'conflict'],
})
