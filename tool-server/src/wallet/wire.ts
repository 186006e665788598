import * as z from 'zod'

/** Responses about the person's wallet, as the tools return them; further members are dropped. */

const agentRecord = z.object({
  id: z.string(),
  client_id: z.string(),
  label: z.string(),
  purpose: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe('Null when the agent was never used'),
  revoked: z.boolean(),
  scopes: z.array(z.string()),
})

/** The agents of the person, newest first. */
export const agentList = z.object({ agents: z.array(agentRecord) })

/** A revoked agent; `families_revoked` counts the token families that this call revoked. */
export const agentRevoked = z.object({
  ok: z.literal(true),
  client_id: z.string(),
  revoked_at: z.string(),
  families_revoked: z.int().min(0),
})

/** The events that audit entries are filtered by. The first seven are those that the server lists by default. */
export const auditEvents = [
  'oid4ac.mandate.issued',
  'oid4ac.payment.succeeded',
  'oid4ac.payment.failed',
  'oid4ac.payment.disputed',
  'oid4ac.token.revoked',
  'oid4ac.privacy.access',
  'oid4ac.privacy.erasure',
  'oid4ac.payment.refunded',
  'oid4ac.consent.approved',
  'oid4ac.consent.declined',
  'oid4ac.limits.changed',
  'oid4ac.policy.changed',
  'oid4ac.agent.connected',
  'oid4ac.agent.revoked',
  'oid4ac.card.changed',
  'oid4ac.credential.changed',
  'oid4ac.security.changed',
  'oid4ac.operator.acted',
] as const

const auditEntry = z.object({
  seq: z.int(),
  ts: z.string(),
  event: z.string(),
  tenant_id: z.string(),
  actor: z.object({ kind: z.string(), id: z.string() }),
  payload: z.record(z.string(), z.unknown()),
  prev_hash: z.string(),
  entry_hash: z.string(),
})

/** The start of a query that names none. */
const BEGINNING = '1970-01-01T00:00:00.000Z'

/** Entries about the person, newest first, with the query's bounds. */
export const auditChain = z.object({
  principal_id: z.string(),
  from_iso: z
    .string()
    .nullish()
    .transform((from) => from ?? BEGINNING)
    .pipe(z.string()),
  to_iso: z.string().nullable(),
  event_types: z.array(z.string()),
  limit: z.int(),
  entries: z.array(auditEntry),
})

const paymentRow = z.object({
  payment_intent_id: z.string(),
  merchant_audience: z.string(),
  amount_minor: z.int(),
  currency: z.string(),
  processed_at_iso: z.string(),
  status: z.enum(['succeeded', 'disputed_pending', 'disputed_won', 'disputed_lost']),
  mandate_id: z.string(),
  agent_client_id: z.string(),
  receipt_url: z.string().optional(),
})

/** Payments of the person, newest first. */
export const paymentHistory = z.object({
  payments: z.array(paymentRow),
  total_count: z.int(),
  has_more: z.boolean(),
})

const opaqueObject = z.record(z.string(), z.unknown())

/** The confirmation that a copy of the data will be mailed. */
export const accessReply = z.object({
  status: z.literal('queued'),
  request_id: z.string().min(1),
  estimated_delivery: z.string(),
})

/** The person's data. */
export const portabilityDump = z.object({
  schema_version: z.int(),
  request_id: z.string(),
  principal: z.looseObject({ principal_id: z.string() }),
  agent_clients: z.array(opaqueObject),
  audit_chain_entries: z.array(opaqueObject),
})
