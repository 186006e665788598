import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { instant, timestamp } from '../../base/contract/wire'
import { APPROVAL_RECORDED, auditEvents, defaultAuditEvents } from './events'

export { auditEvents, defaultAuditEvents }

/** The events that entries can be filtered by: the present ones, and one that older chains hold. */
const recordedEvents = [...auditEvents, APPROVAL_RECORDED] as const

/** The most entries in one response; `to_seq` says where it ends. */
export const AUDIT_RANGE_MAX_ENTRIES = 1_000
const AUDIT_CHAIN_DEFAULT_LIMIT = 50
export const AUDIT_CHAIN_MAX_LIMIT = 200

/** A whole number in a query string. */
const wholeNumber = (bounds: { min: number; max: number }) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(bounds.min).max(bounds.max))
    .meta({ override: { type: 'integer', minimum: bounds.min } })

const seqNumber = wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER })

const auditEntry = z
  .object({
    seq: z.int(),
    ts: timestamp,
    event: z.string(),
    tenant_id: z.string(),
    actor: z.object({ kind: z.string(), id: z.string() }),
    payload: z.record(z.string(), z.unknown()),
    prev_hash: z.string(),
    entry_hash: z.string(),
  })
  .meta({ id: 'AuditEntry' })

/** The access rule: a tenant reads its own chain, with an assertion of its wallet client in the header. */
const tenantReads = {
  access: { actor: 'client', kind: 'wallet', dpop: 'none', credentials: 'authorization', consumes: 'kit' },
  params: z.object({ tenant_id: z.string().min(1).max(512) }),
  refusal: 'validation',
} as const
const ofTenant = { client_id: z.string().min(1).max(512) }

export const readAuditRangeEndpoint = defineEndpoint({
  ...tenantReads,
  operationId: 'readAuditRange',
  method: 'GET',
  path: '/audit/{tenant_id}/range',
  summary: "Read a run of the tenant's audit chain, with a signed checkpoint of the run's last entry",
  tag: 'Audit',
  query: z.object({
    ...ofTenant,
    from_seq: seqNumber.optional().meta({ description: 'First entry, included; 1 by default.' }),
    to_seq: seqNumber.optional().meta({ description: 'Last entry, included; the newest by default.' }),
  }),
  output: z
    .object({
      tenant_id: z.string(),
      from_seq: z.int(),
      to_seq: z.int().meta({ description: 'The last entry of this answer, or from_seq - 1 when it holds none.' }),
      entries: z.array(auditEntry),
      checkpoint: z
        .string()
        .nullable()
        .meta({ description: 'JWS of type audit-checkpoint+jwt, of the last entry here; null for an empty chain.' }),
    })
    .meta({ id: 'AuditRange' }),
  refusals: ['principal_mismatch', 'insufficient_scope'],
  quota: { limit: 10, windowSeconds: 60, sliding: true },
})

const checkpointText = z.string().meta({ description: 'JWS of type audit-checkpoint+jwt.' })
const noteText = z.string().meta({ description: 'The same head as signed C2SP checkpoint (c2sp.org/tlog-checkpoint).' })

export const readAuditCheckpointEndpoint = defineEndpoint({
  ...tenantReads,
  operationId: 'readAuditCheckpoint',
  method: 'GET',
  path: '/audit/{tenant_id}/checkpoint',
  summary: "Sign the end of the tenant's audit chain and the root of its Merkle tree",
  tag: 'Audit',
  query: z.object(ofTenant),
  output: z
    .object({
      tenant_id: z.string(),
      checkpoint: checkpointText.nullable().meta({ description: 'Null for an empty chain.' }),
      note: noteText.nullable(),
    })
    .meta({ id: 'AuditCheckpoint' }),
  refusals: ['principal_mismatch', 'insufficient_scope'],
  quota: { limit: 60, windowSeconds: 60 },
})

const proofHashes = z.array(z.string()).meta({ description: 'SHA-256 hashes of RFC 9162, base64url.' })

const inclusionProof = z
  .object({
    tenant_id: z.string(),
    seq: z.int(),
    entry_hash: z.string().meta({ description: 'Its 32 bytes are the leaf.' }),
    leaf_index: z.int(),
    tree_size: z.int(),
    hashes: proofHashes,
    checkpoint: checkpointText,
    note: noteText,
  })
  .meta({ id: 'AuditInclusionProof' })

export const proveAuditEntryEndpoint = defineEndpoint({
  ...tenantReads,
  operationId: 'proveAuditEntry',
  method: 'GET',
  path: '/audit/{tenant_id}/proof',
  summary: 'Prove that one entry is in the tree that a signed checkpoint states',
  tag: 'Audit',
  query: z.object({ ...ofTenant, seq: seqNumber }),
  output: inclusionProof,
  refusals: ['principal_mismatch', 'insufficient_scope', 'not_found', 'conflict'],
  quota: { limit: 60, windowSeconds: 60 },
})

export const proveAuditConsistencyEndpoint = defineEndpoint({
  ...tenantReads,
  operationId: 'proveAuditConsistency',
  method: 'GET',
  path: '/audit/{tenant_id}/consistency',
  summary: 'Prove that a tree of the chain begins with an earlier one',
  tag: 'Audit',
  query: z.object({
    ...ofTenant,
    from_size: seqNumber.meta({ description: 'Size of the earlier tree.' }),
    to_size: seqNumber.meta({ description: 'Size of the later tree.' }),
  }),
  output: z
    .object({ tenant_id: z.string(), from_size: z.int(), to_size: z.int(), hashes: proofHashes })
    .meta({ id: 'AuditConsistencyProof' }),
  refusals: ['principal_mismatch', 'insufficient_scope', 'not_found', 'conflict'],
  quota: { limit: 60, windowSeconds: 60 },
})

const eventTypes = z
  .string()
  .max(1_000)
  .transform((list) => list.split(','))
  .pipe(z.array(z.enum(recordedEvents)).min(1).max(recordedEvents.length))
  .meta({
    override: {
      type: 'string',
      description: `Event names, separated by commas. When absent: ${defaultAuditEvents.join(', ')}.`,
    },
  })

export const queryAuditChainEndpoint = defineEndpoint({
  operationId: 'queryAuditChain',
  method: 'GET',
  path: '/wallet/audit-chain',
  summary: 'List the audit entries about the signed-in person, newest first',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'audit:read' },
  query: z.object({
    from_iso: instant.optional(),
    to_iso: instant.optional(),
    event_types: eventTypes.optional(),
    limit: wholeNumber({ min: 1, max: AUDIT_CHAIN_MAX_LIMIT }).default(AUDIT_CHAIN_DEFAULT_LIMIT),
  }),
  output: z
    .object({
      principal_id: z.string(),
      from_iso: z.string(),
      to_iso: z.string().nullable(),
      event_types: z.array(z.string()),
      limit: z.int(),
      entries: z.array(auditEntry),
    })
    .meta({ id: 'AuditChain' }),
  refusal: 'validation',
  quota: { limit: 30, windowSeconds: 60, sliding: true },
})

export const proveOwnEntryEndpoint = defineEndpoint({
  operationId: 'proveOwnEntry',
  method: 'GET',
  path: '/wallet/audit-chain/{seq}/proof',
  summary: 'Prove that an entry about the signed-in person is in the tree that a signed checkpoint states',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'audit:read' },
  params: z.object({ seq: seqNumber }),
  output: inclusionProof,
  refusal: 'validation',
  refusals: ['not_found', 'conflict'],
  quota: { limit: 60, windowSeconds: 60 },
})
