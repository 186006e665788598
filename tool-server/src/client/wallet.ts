import { randomUUID } from 'node:crypto'
import type * as z from 'zod'
import { expectReply } from '../http/refusals.js'
import type { Session } from './session.js'
import { sendWithToken, type WalletAccess } from './wallet-access.js'
import {
  type AccessRequested,
  type AgentRecord,
  type AgentRevoked,
  type AuditChain,
  accessRequested,
  agentList,
  agentRevoked,
  auditChain,
  type PaymentHistory,
  type PortabilityDump,
  paymentHistory,
  portabilityDump,
} from './wire.js'

/** The filter of audit entries. Times are ISO 8601, both bounds included. */
export interface AuditQuery {
  readonly fromIso?: string | undefined
  readonly toIso?: string | undefined
  readonly eventTypes?: readonly string[] | undefined
  /** 1 to 200, 50 by default. */
  readonly limit?: number | undefined
}

/** The filter of payments. Times are ISO 8601, both bounds included. */
export interface PaymentQuery {
  readonly fromIso?: string | undefined
  readonly toIso?: string | undefined
  /** True by default. */
  readonly includeDisputed?: boolean | undefined
  /** 1 to 100, 50 by default. */
  readonly limit?: number | undefined
}

/** Access to the person's data, with an idempotency key for repeated requests. */
export interface PrivacyAccess extends WalletAccess {
  /** 1 to 255 characters; a fresh one by default. */
  readonly idempotencyKey?: string | undefined
}

/** The access and the signal of one call below. */
export interface WalletCall<Access extends WalletAccess = WalletAccess> {
  readonly access: Access
  readonly signal?: AbortSignal | undefined
}

/** Returns the person's agents, newest first. Scope `wallet:read`. */
export async function listAgents(session: Session, call: WalletCall): Promise<AgentRecord[]> {
  return (await ask(session, { ...call, method: 'GET', path: '/wallet/agents', schema: agentList })).agents
}

/** Revokes an agent; a repetition returns the same as the first call. Scope `wallet:write`. */
export function revokeAgent(session: Session, clientId: string, call: WalletCall): Promise<AgentRevoked> {
  const path = `/wallet/agents/${encodeURIComponent(clientId)}/revoke`
  return ask(session, { ...call, path, schema: agentRevoked })
}

/** Returns audit entries about the person. Scope `audit:read`. */
export function readAuditChain(session: Session, query: AuditQuery, call: WalletCall): Promise<AuditChain> {
  const path = withQuery('/wallet/audit-chain', {
    from_iso: query.fromIso,
    to_iso: query.toIso,
    event_types: query.eventTypes?.join(','),
    limit: query.limit,
  })
  return ask(session, { ...call, method: 'GET', path, schema: auditChain })
}

/** Returns the person's payments. Scope `audit:read`. */
export function readPaymentHistory(session: Session, query: PaymentQuery, call: WalletCall): Promise<PaymentHistory> {
  const path = withQuery('/wallet/payment-history', {
    from_iso: query.fromIso,
    to_iso: query.toIso,
    include_disputed: query.includeDisputed,
    limit: query.limit,
  })
  return ask(session, { ...call, method: 'GET', path, schema: paymentHistory })
}

/** Requests a copy of everything stored about the person, sent by e-mail. Scope `privacy:dsar`. */
export function requestAccess(session: Session, call: WalletCall<PrivacyAccess>): Promise<AccessRequested> {
  return ask(session, { ...privacyCall(call), path: '/privacy/dsar/access', schema: accessRequested })
}

/** Returns the person's data in a portable form. Scope `privacy:dsar`. */
export function exportData(session: Session, call: WalletCall<PrivacyAccess>): Promise<PortabilityDump> {
  return ask(session, { ...privacyCall(call), path: '/privacy/dsar/portability', schema: portabilityDump })
}

function privacyCall(call: WalletCall<PrivacyAccess>) {
  return { ...call, headers: { 'idempotency-key': call.access.idempotencyKey ?? randomUUID() } }
}

interface Question<T> extends WalletCall {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly schema: z.ZodType<T>
}

/** Sends a request and returns its response. Failures are `<status> <code>`, without the name of a step. */
async function ask<T>(session: Session, { access, schema, ...request }: Question<T>): Promise<T> {
  return expectReply(await sendWithToken(session, access, request), { step: '', schema })
}

function withQuery(path: string, members: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}
