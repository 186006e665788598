import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import type { AuditEntry } from './chain'
import { AUDIT_CHAIN_MAX_LIMIT, type queryAuditChainEndpoint } from './contract'
import { defaultAuditEvents } from './events'
import { listPrincipalEntries } from './store'

type Query = typeof queryAuditChainEndpoint

/**
 * The entries about the caller, newest first, between two instants (both included) and of the given events; of those that
 * tell about money, access and privacy when none are given.
 */
export async function queryAuditChain(call: WalletCall, input: InputOf<Query>): Promise<OutputOf<Query>> {
  const { platform, actor } = call
  const events = input.event_types ?? defaultAuditEvents
  const entries = await listPrincipalEntries(platform.db, actor, {
    from: input.from_iso === undefined ? null : new Date(input.from_iso),
    to: input.to_iso === undefined ? null : new Date(input.to_iso),
    events,
    clientId: null,
    beforeSeq: null,
    limit: input.limit,
  })
  return {
    principal_id: actor.principalId,
    from_iso: input.from_iso ?? null,
    to_iso: input.to_iso ?? null,
    event_types: [...events],
    limit: input.limit,
    entries: entries.map((entry) => ({ ...entry, payload: { ...entry.payload } })),
  }
}

export interface ActivityPage {
  readonly events?: readonly string[] | undefined
  /** One of the person's agents. */
  readonly clientId?: string | undefined
  readonly beforeSeq?: number | undefined
  readonly limit?: number | undefined
}

/** One page of a person's activity, newest first; `beforeSeq` of the next page is the last entry's `seq`. */
export function listAudit(call: WalletCall, page: ActivityPage = {}): Promise<AuditEntry[]> {
  return listPrincipalEntries(call.platform.db, call.actor, {
    from: null,
    to: null,
    events: page.events ?? null,
    clientId: page.clientId ?? null,
    beforeSeq: page.beforeSeq ?? null,
    limit: Math.min(page.limit ?? 50, AUDIT_CHAIN_MAX_LIMIT),
  })
}
