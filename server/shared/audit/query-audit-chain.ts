import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { buildFieldError } from '../../base/core/errors'
import type { AuditEntry } from './chain'
import { AUDIT_CHAIN_MAX_LIMIT, type queryAuditChainEndpoint } from './contract'
import { defaultAuditEvents } from './events'
import { listPrincipalEntries } from './store'

type Query = typeof queryAuditChainEndpoint

const EPOCH = '1970-01-01T00:00:00.000Z'

/**
 * Returns the entries about the caller, newest first, between two instants (both included) and of the given events;
 * without events, of those about money, access and privacy.
 */
export async function queryAuditChain(call: WalletCall, input: InputOf<Query>): Promise<OutputOf<Query>> {
  const { platform, actor } = call
  requireOrderedInstants(input)
  const events = input.event_types ?? defaultAuditEvents
  const entries = await listPrincipalEntries(platform.db, actor, {
    from: input.from_iso === undefined ? null : new Date(input.from_iso),
    to: input.to_iso === undefined ? null : new Date(input.to_iso),
    events,
    security: false,
    clientId: null,
    beforeSeq: null,
    limit: input.limit,
  })
  return {
    principal_id: actor.principalId,
    from_iso: input.from_iso ?? EPOCH,
    to_iso: input.to_iso ?? null,
    event_types: [...events],
    limit: input.limit,
    entries: entries.map((entry) => ({ ...entry, payload: { ...entry.payload } })),
  }
}

function requireOrderedInstants({ from_iso: from, to_iso: to }: InputOf<Query>): void {
  if (from === undefined || to === undefined || new Date(from) <= new Date(to)) return
  throw buildFieldError(['query', 'from_iso'], 'must not be after to_iso', from)
}

export interface ActivityPage {
  readonly events?: readonly string[] | undefined
  /** Whether to list only entries that concern the wallet's security, of any event. */
  readonly security?: boolean | undefined
  /** The agent whose entries are listed; absent for all. */
  readonly clientId?: string | undefined
  readonly beforeSeq?: number | undefined
  readonly limit?: number | undefined
}

/** Returns one page of a person's activity, newest first; `beforeSeq` of the next page is the last entry's `seq`. */
export function listAudit(call: WalletCall, page: ActivityPage = {}): Promise<AuditEntry[]> {
  return listPrincipalEntries(call.platform.db, call.actor, {
    from: null,
    to: null,
    events: page.events ?? null,
    security: page.security ?? false,
    clientId: page.clientId ?? null,
    beforeSeq: page.beforeSeq ?? null,
    limit: Math.min(page.limit ?? 50, AUDIT_CHAIN_MAX_LIMIT),
  })
}
