import { failpoint } from '../../base/core/failpoints'
import { invariant } from '../../base/core/invariant'
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

/** Appends several entries of one tenant in the given order, in two statements however many there are. */
export async function recordAudits(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
  const [first] = records
  if (first === undefined) return
  invariant(
    records.every((record) => record.tenantId === first.tenantId),
    'entries that are appended together belong to one tenant',
  )
  const latest = new Date(Math.max(...records.map(({ now }) => now.getTime())))
  const head = await lockHead(tx, first.tenantId, latest)
  await failpoint('audit.after_head_lock')
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
  appendEntries(tx, entries, { principalIds: records.map((record) => record.principalId), ts: head.ts })
  await failpoint('audit.before_commit')
}
