import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { listPastProcedure, PendingConsent } from './contract'
import { type ConsentRow, findConsent, findConsentOfLink, isOpen, listPast, listPending } from './store'

/** GET /oauth/consent/scan/pending: returns the approvals that wait for the token's subject, newest first. */
export async function listPendingConsents(call: WalletCall) {
  const rows = await listPending(call.platform.db, call.actor.principalId, call.now)
  return { pending: rows.map(toPending) }
}

/**
 * GET /oauth/consent/scan/pending/{authorization_id}: returns one waiting approval. 404 for unknown, decided, expired
 * and foreign ids alike.
 */
export async function readPendingConsent(call: WalletCall, input: { authorization_id: string }) {
  const row = await findConsent(call.platform.db, call.actor.principalId, input.authorization_id)
  if (row === null || !isOpen(row, call.now)) {
    throw new ServiceError('not_found', 'There is no such request waiting.')
  }
  return toPending(row)
}

/** Returns the wire form, without members that do not apply. */
function toPending(row: ConsentRow): PendingConsent {
  const optional = {
    merchant_audience: row.merchant_audience,
    merchant_name: row.merchant_name,
    amount_minor: row.amount_minor,
    currency: row.currency,
    line_items: row.line_items,
    offer_id: row.offer_id,
    limit_bump_id: row.limit_bump_id,
    exceeds: row.exceeds,
  }
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null))
  return {
    authorization_id: row.authorization_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    consent_mode: row.consent_mode,
    agent: { client_id: row.client_id, label: row.client_label, purpose: row.client_purpose },
    scope: row.scope.join(' '),
    first_purchase_at_merchant: row.first_purchase_at_merchant,
    ...present,
  }
}

/**
 * Returns an approval for the portal's approve page, by id or by the handle in the agent's link, decided ones included.
 */
export async function readConsentForPortal(call: WalletCall, input: { id: string }) {
  const row = await findConsentOfLink(call.platform.db, call.actor.principalId, input.id)
  if (row === null) throw new ServiceError('not_found', 'There is no such request.')
  return toPortalConsent(row, call.now, row.client_full_name)
}

/** Returns the approvals that wait for the person, in the portal's form, newest first. */
export async function listWaitingConsents(call: WalletCall): Promise<{ readonly pending: readonly WaitingConsent[] }> {
  const rows = await listPending(call.platform.db, call.actor.principalId, call.now)
  const pending = rows.map((row) => ({
    ...toPortalConsent(row, call.now),
    merchant_verified: row.merchant_verified,
  }))
  return { pending }
}

const PAGE_ROWS = 25

/** Returns one page of the approvals that were decided or have expired, with how the person confirmed approved ones. */
export async function listPastConsents(call: WalletCall, { page = 1 }: ProcedureInput<typeof listPastProcedure> = {}) {
  const rows = await listPast(call.platform.db, call.actor.principalId, {
    now: call.now,
    offset: (page - 1) * PAGE_ROWS,
    limit: PAGE_ROWS + 1,
  })
  return {
    past: rows.slice(0, PAGE_ROWS).map((row) => ({ ...toPortalConsent(row, call.now), method: row.method })),
    /** Whether there are older ones. */
    more: rows.length > PAGE_ROWS,
  }
}
export type PastConsent = Awaited<ReturnType<typeof listPastConsents>>['past'][number]

/**
 * Returns the portal's form. The approve page always tells agents apart by their tail, lists only where two share a
 * name.
 */
function toPortalConsent(row: ConsentRow, now: Date, agentName = row.client_shown_name) {
  const pending = toPending(row)
  const expired = row.status === 'pending' && row.expires_at <= now
  return {
    ...pending,
    agent: { ...pending.agent, label: agentName },
    kind: row.kind,
    match_code: row.match_code,
    status: expired ? ('expired' as const) : row.status,
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_via: row.decided_via,
    mandate_id: row.mandate_id,
  }
}
export type PortalConsent = ReturnType<typeof toPortalConsent>
export type WaitingConsent = PortalConsent & { readonly merchant_verified: boolean }
