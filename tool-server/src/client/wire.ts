import * as z from 'zod'

/**
 * Responses of the authorization server, as far as this package reads them. Unknown members are passed on or dropped.
 */

/** @see {@link https://www.rfc-editor.org/rfc/rfc8414#section-2} */
export const serverMetadata = z.object({ issuer: z.string() })

/** @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-5} */
export const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-3.2.1} */
export const registrationReply = z.object({
  client_id: z.string().min(1),
  registration_access_token: z.string().optional(),
  principal_id: z.string().optional(),
  client_name: z.string().optional(),
  purpose: z.string().optional(),
  scope: z.string().optional(),
})

/** The registration of a new client as the server returns it. */
export type RegistrationReply = z.infer<typeof registrationReply>

/** @see {@link https://www.rfc-editor.org/rfc/rfc9126#section-2.2} */
export const parReply = z.object({ request_uri: z.string().min(1), expires_in: z.int().positive() })

/** The handle of a pushed request. */
export type ParReply = z.infer<typeof parReply>

/** The person's decision. */
export const statusReply = z.object({ status: z.enum(['approved', 'pending', 'declined']) })

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.1} */
export const tokenReply = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^dpop$/i),
  expires_in: z.int().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  authorization_details: z.array(z.looseObject({ type: z.string() })).optional(),
  mandate_jwt: z.string().min(1).optional(),
  mandate_id: z.string().min(1).optional(),
})

/** Tokens, with the mandate in case of a payment. */
export type TokenReply = z.infer<typeof tokenReply>

/** A settled payment. Further members are passed on. */
export const settlementReply = z.looseObject({
  settlement_id: z.string().min(1),
  status: z.string(),
  mandate_id: z.string().optional(),
  amount_minor: z.int().optional(),
  currency: z.string().optional(),
  receipt_jws: z.string().min(1),
})

/** A settled payment. */
export type SettlementReply = z.infer<typeof settlementReply>

const timestamp = z.iso.datetime({ offset: true })

/** An agent of the person. */
export const agentRecord = z.looseObject({
  id: z.string(),
  client_id: z.string(),
  label: z.string(),
  purpose: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  revoked: z.boolean(),
  scopes: z.array(z.string()),
})

/** An agent of the person. Further members are passed on. */
export type AgentRecord = z.infer<typeof agentRecord>

/** The person's agents, newest first. */
export const agentList = z.object({ agents: z.array(agentRecord) })

/** A revoked agent. */
export const agentRevoked = z.object({
  ok: z.literal(true),
  client_id: z.string(),
  revoked_at: timestamp,
  families_revoked: z.int().min(0),
})

/** A revoked agent; `families_revoked` is 0 when it had been revoked before. */
export type AgentRevoked = z.infer<typeof agentRevoked>

/** Audit entries about the person, newest first. */
export const auditChain = z.object({
  principal_id: z.string(),
  from_iso: z.string().nullable(),
  to_iso: z.string().nullable(),
  event_types: z.array(z.string()),
  limit: z.int(),
  entries: z.array(
    z.looseObject({
      seq: z.int(),
      ts: timestamp,
      event: z.string(),
      payload: z.record(z.string(), z.unknown()),
      prev_hash: z.string(),
      entry_hash: z.string(),
    }),
  ),
})

/** Audit entries about the person, newest first. */
export type AuditChain = z.infer<typeof auditChain>

/** The person's payments, newest first. */
export const paymentHistory = z.object({
  payments: z.array(
    z.looseObject({
      payment_intent_id: z.string(),
      merchant_audience: z.string(),
      amount_minor: z.int(),
      currency: z.string(),
      processed_at_iso: timestamp,
      status: z.string(),
      mandate_id: z.string(),
    }),
  ),
  total_count: z.int(),
  has_more: z.boolean(),
})

/** The person's payments, newest first. */
export type PaymentHistory = z.infer<typeof paymentHistory>

/** A copy of the person's data that will be mailed. */
export const accessRequested = z.object({
  status: z.literal('queued'),
  request_id: z.string(),
  estimated_delivery: timestamp,
})

/** A copy of the person's data that will be mailed. */
export type AccessRequested = z.infer<typeof accessRequested>

/** The person's data in a form that other services read. Its JSON Schema is at `/privacy/dsar/portability-schema.json`. */
export const portabilityDump = z.looseObject({
  schema_version: z.int(),
  request_id: z.string(),
  principal: z.looseObject({ principal_id: z.string() }),
  agent_clients: z.array(z.looseObject({})),
  audit_chain_entries: z.array(z.looseObject({})),
})

/** The person's data in a form that other services read. */
export type PortabilityDump = z.infer<typeof portabilityDump>
