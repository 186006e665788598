import { failpoint } from '../../base/core/failpoints'
import type { Transaction } from '../../base/core/platform'
import { type AuditEntry, hashEntry } from './chain'
import type { AuditRecord } from './events'
import { appendEntries, lockHead } from './store'

/**
 * Appends one entry to its tenant's chain. Call it last in the transaction of the change that it reports: the tenant's
 * head stays locked until the commit, and change and entry stand or fall together.
 */
export async function recordAudit(tx: Transaction, record: AuditRecord): Promise<void> {
  await recordAudits(tx, [record])
}

/**
 * Appends several entries in the given order, in two statements for each tenant. The heads are locked in the order of the
 * tenants, so that two transactions never wait for each other.
 */
export async function recordAudits(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
  const tenants = [...new Set(records.map(({ tenantId }) => tenantId))].toSorted((a, b) => (a < b ? -1 : 1))
  for (const tenant of tenants) {
    await recordOf(
      tx,
      tenant,
      records.filter(({ tenantId }) => tenantId === tenant),
    )
  }
}

async function recordOf(tx: Transaction, tenantId: string, records: readonly AuditRecord[]): Promise<void> {
  const latest = new Date(Math.max(...records.map(({ now }) => now.getTime())))
  const head = await lockHead(tx, tenantId, latest)
  await failpoint('audit.after_head_lock')
  const entries: AuditEntry[] = []
  for (const record of records) {
    const unhashed = {
      seq: head.seq + entries.length + 1,
      ts: head.ts.toISOString(),
      event: record.event,
      tenant_id: tenantId,
      actor: { kind: record.actor.kind, id: record.actor.id },
      payload: { ...record.payload },
      prev_hash: entries.at(-1)?.entry_hash ?? head.entryHash,
    }
    entries.push({ ...unhashed, entry_hash: hashEntry(unhashed) })
  }
  appendEntries(tx, entries, { principalIds: records.map((record) => record.principalId), ts: head.ts })
  await failpoint('audit.before_commit')
}
