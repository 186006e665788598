import { APPROVAL_RECORDED, type AuditEntry } from '../../../shared/audit'
import type { ActivityNames } from './activity-names'
import type { EntryFacts } from './view'

export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Returns the facts that every list shows of an entry: the event, its time, who caused it, and the agent that it is
 * about.
 */
export function entryFacts(entry: AuditEntry, names: ActivityNames): EntryFacts {
  const clientId = agentOf(entry, names)
  return {
    seq: entry.seq,
    ts: entry.ts,
    event: entry.event,
    actor_kind: entry.actor.kind,
    agent: clientId === null ? null : { client_id: clientId, label: names.agents.get(clientId) ?? clientId },
    detail: detailOf(entry),
  }
}

/** Returns the chain's word for the reason or the means: the change and its new value, or how it was confirmed. */
function detailOf({ event, payload }: AuditEntry): string | null {
  const { what, to } = payload
  if (event === 'oid4ac.operator.acted') return text(what)
  if (DECIDED.has(event)) return text(payload['means'] ?? payload['method'])
  if (typeof what === 'string') return typeof to === 'string' || typeof to === 'boolean' ? `${what}_${to}` : what
  return text(payload['failure_code'] ?? payload['dispute_status'] ?? payload['reason'])
}

const DECIDED: ReadonlySet<string> = new Set(['oid4ac.consent.approved', 'oid4ac.consent.declined', APPROVAL_RECORDED])

/** Returns the agent that acted, or whose payment the entry is about, as when the processor reports a dispute. */
function agentOf({ actor, payload }: AuditEntry, { agentOfMandate }: ActivityNames): string | null {
  if (actor.kind === 'agent') return actor.id
  return text(payload['agent_client_id']) ?? agentOfMandate.get(text(payload['mandate_id']) ?? '') ?? null
}
