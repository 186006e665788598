import { failpoint } from '../../base/core/failpoints'
import type { Transaction } from '../../base/core/platform'
import { type AuditEntry, type ChainPosition, hashEntry } from './chain'
import type { AuditRecord } from './events'
import { appendEntries, lockHead } from './store'

/**
 * Appends one entry to its tenant's chain. Call it last in the transaction of the change that it records: the tenant's
 * head stays locked until the commit, and change and entry are committed together.
 */
export async function recordAudit(tx: Transaction, record: AuditRecord): Promise<void> {
  await recordAudits(tx, [record])
}

/** The locked heads of chains, by tenant. */
type Heads = ReadonlyMap<string, Awaited<ReturnType<typeof lockHead>>>

/**
 * Appends several entries in the given order, in two round trips. `heads` are the heads of their tenants, if they are
 * already locked.
 */
export async function recordAudits(
  tx: Transaction,
  records: readonly AuditRecord[],
  heads: Promise<Heads> = lockHeads(tx, records),
): Promise<void> {
  for (const [tenantId, head] of await heads) {
    await failpoint('audit.after_head_lock')
    const ofTenant = records.filter((record) => record.tenantId === tenantId)
    const entries = chainOf(ofTenant, head)
    for (const { event } of ofTenant) tx.count('auditEntries', { event })
    appendEntries(tx, entries, { principalIds: ofTenant.map(({ principalId }) => principalId), ts: head.ts })
    await failpoint('audit.before_commit')
  }
}

/**
 * Locks the heads of the tenants for the rest of the transaction, in a fixed order, so that two transactions never
 * deadlock; only entries and messages may follow.
 */
export async function lockHeads(
  tx: Transaction,
  records: readonly Pick<AuditRecord, 'tenantId' | 'now'>[],
): Promise<Heads> {
  const tenants = [...new Set(records.map(({ tenantId }) => tenantId))].toSorted((a, b) => (a < b ? -1 : 1))
  const locking = tenants.map(async (tenantId) => {
    const times = records.filter((record) => record.tenantId === tenantId).map(({ now }) => now.getTime())
    return [tenantId, await lockHead(tx, tenantId, new Date(Math.max(...times)))] as const
  })
  return new Map(await Promise.all(locking))
}

function chainOf(records: readonly AuditRecord[], head: ChainPosition & { readonly ts: Date }): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (const record of records) {
    const unhashed = {
      seq: head.seq + entries.length + 1,
      ts: head.ts.toISOString(),
      event: record.event,
      tenant_id: record.tenantId,
      actor: { kind: record.actor.kind, id: record.actor.id },
      payload: { ...record.payload },
      prev_hash: entries.at(-1)?.entry_hash ?? head.entryHash,
    }
    entries.push({ ...unhashed, entry_hash: hashEntry(unhashed) })
  }
  return entries
}
