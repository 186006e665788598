import { type Prisma } from '@/prisma/generated/client'
import { type Database, type Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { canonicalJson } from '../../base/protocol/encoding'
import { type AuditEntry, type ChainPosition, GENESIS_HASH } from './chain'

/** Locks the tenant's head for the rest of the transaction and moves its time forward, never back. */
export async function lockHead(tx: Queryable, tenantId: string, now: Date): Promise<ChainPosition & { ts: Date }> {
  const [row] = await tx.query<Row<'AuditHead', 'seq' | 'entry_hash' | 'ts'>>(
    sql`INSERT INTO audit_heads AS head (tenant_id, seq, entry_hash, ts) VALUES (${tenantId}, 0, ${GENESIS_HASH}, ${now})
     ON CONFLICT (tenant_id) DO UPDATE SET ts = greatest(head.ts, excluded.ts)
     RETURNING seq, entry_hash, ts`,
  )
  if (row === undefined) throw new Error('the chain head could not be locked')
  return { seq: row.seq, entryHash: row.entry_hash, ts: row.ts }
}

/** Appends entries that follow the locked head, and moves the head to the last of them. */
export async function appendEntries(
  tx: Queryable,
  entries: readonly AuditEntry[],
  { principalIds, ts }: { principalIds: readonly (string | null)[]; ts: Date },
): Promise<void> {
  const last = entries.at(-1)
  if (last === undefined) return
  await tx.query(
    sql`WITH appended AS (
       INSERT INTO audit_entries (tenant_id, seq, ts, event, actor_kind, actor_id, principal_id, payload, prev_hash, entry_hash)
       SELECT ${last.tenant_id}, e.seq, ${ts}, e.event, e.actor_kind, e.actor_id, nullif(e.principal_id, ''), e.payload, e.prev_hash, e.entry_hash
         FROM unnest(${entries.map((entry) => entry.seq)}::bigint[], ${entries.map((entry) => entry.event)}::text[], ${entries.map((entry) => entry.actor.kind)}::text[], ${entries.map((entry) => entry.actor.id)}::text[], ${principalIds.map((id) => id ?? '')}::text[], ${entries.map((entry) => canonicalJson(entry.payload))}::text[], ${entries.map((entry) => entry.prev_hash)}::text[], ${entries.map((entry) => entry.entry_hash)}::text[])
           AS e (seq, event, actor_kind, actor_id, principal_id, payload, prev_hash, entry_hash))
     UPDATE audit_heads SET seq = ${last.seq}, entry_hash = ${last.entry_hash} WHERE tenant_id = ${last.tenant_id}`,
  )
}

const entryColumns = {
  tenant_id: true,
  seq: true,
  ts: true,
  event: true,
  actor_kind: true,
  actor_id: true,
  payload: true,
  prev_hash: true,
  entry_hash: true,
} as const

type EntryRow = Row<'AuditEntry', keyof typeof entryColumns>

function toEntry(row: EntryRow): AuditEntry {
  return {
    seq: row.seq,
    ts: row.ts.toISOString(),
    event: row.event,
    tenant_id: row.tenant_id,
    actor: { kind: row.actor_kind, id: row.actor_id },
    payload: JSON.parse(row.payload) as Record<string, unknown>,
    prev_hash: row.prev_hash,
    entry_hash: row.entry_hash,
  }
}

/** Entries `fromSeq` to `toSeq`, both included, in order. */
export function listEntries(db: Database, tenantId: string, range: { fromSeq: number; toSeq: number }) {
  return listEntriesWhere(db, { tenant_id: tenantId, seq: { gte: range.fromSeq, lte: range.toSeq } })
}

/** The given entries of a tenant's chain, in order. */
export function listEntriesAt(db: Database, tenantId: string, seqs: readonly number[]) {
  return listEntriesWhere(db, { tenant_id: tenantId, seq: { in: [...seqs] } })
}

async function listEntriesWhere(db: Database, where: Prisma.AuditEntryWhereInput): Promise<AuditEntry[]> {
  const rows = await db.prisma.auditEntry.findMany({ select: entryColumns, where, orderBy: { seq: 'asc' } })
  return rows.map((row) => toEntry(rowOf<EntryRow>(row)))
}

export interface PrincipalEntriesFilter {
  readonly from: Date | null
  readonly to: Date | null
  readonly events: readonly string[] | null
  /** Entries that one agent caused, or that are about what it paid or could do. */
  readonly clientId: string | null
  /** Entries before this one, for the next page; numbers are those of the principal's one tenant. */
  readonly beforeSeq: number | null
  readonly limit: number
}

/** Entries about one person, newest first. */
export async function listPrincipalEntries(
  db: Queryable,
  owner: { tenantId: string; principalId: string },
  filter: PrincipalEntriesFilter,
): Promise<AuditEntry[]> {
  const rows = await db.query<EntryRow>(
    sql`SELECT tenant_id, seq, ts, event, actor_kind, actor_id, payload, prev_hash, entry_hash FROM audit_entries
      WHERE principal_id = ${owner.principalId} AND tenant_id = ${owner.tenantId}
        AND (${filter.from}::timestamptz IS NULL OR ts >= ${filter.from}) AND (${filter.to}::timestamptz IS NULL OR ts <= ${filter.to})
        AND (${filter.events}::text[] IS NULL OR event = ANY (${filter.events})) AND (${filter.beforeSeq}::bigint IS NULL OR seq < ${filter.beforeSeq})
        AND (${filter.clientId}::text IS NULL OR actor_id = ${filter.clientId} OR (actor_kind <> 'agent' AND ${filter.clientId} = coalesce(
               payload::jsonb ->> 'agent_client_id',
               (SELECT d.client_id FROM mandate_terms d WHERE d.id = payload::jsonb ->> 'mandate_id'))))
      ORDER BY ts DESC, seq DESC LIMIT ${filter.limit}::int`,
  )
  return rows.map(toEntry)
}

/** The end of the chain; null while the tenant has no entries. */
export async function findHead(db: Database, tenantId: string): Promise<ChainPosition | null> {
  const found = await db.prisma.auditHead.findUnique({
    select: { seq: true, entry_hash: true },
    where: { tenant_id: tenantId, seq: { gt: 0 } },
  })
  if (found === null) return null
  const { seq, entry_hash: entryHash } = rowOf<Row<'AuditHead', 'seq' | 'entry_hash'>>(found)
  return { seq, entryHash }
}

type CheckpointRow = Row<'AuditCheckpoint', 'seq' | 'jws'>

/** The newest checkpoint, with the hash that its entry has now. */
export async function findLatestCheckpoint(db: Queryable, tenantId: string) {
  const [row] = await db.query<CheckpointRow & { entry_hash: string | null }>(
    sql`SELECT c.seq, c.jws, e.entry_hash FROM audit_checkpoints c
       LEFT JOIN audit_entries e ON e.tenant_id = c.tenant_id AND e.seq = c.seq
      WHERE c.tenant_id = ${tenantId} ORDER BY c.seq DESC LIMIT 1`,
  )
  return row === undefined ? null : { seq: row.seq, jws: row.jws, entryHash: row.entry_hash }
}

/** The first checkpoint at or after a position, which vouches for it and for all before it; null when there is none yet. */
export async function findCheckpointFrom(db: Database, tenantId: string, seq: number): Promise<CheckpointRow | null> {
  const found = await db.prisma.auditCheckpoint.findFirst({
    select: { seq: true, jws: true },
    where: { tenant_id: tenantId, seq: { gte: seq } },
    orderBy: { seq: 'asc' },
  })
  return found === null ? null : rowOf<CheckpointRow>(found)
}

/** Stores a checkpoint unless there is one for its position. Returns the stored one. */
export async function insertCheckpoint(
  db: Queryable,
  checkpoint: { tenantId: string; seq: number; jws: string; now: Date },
): Promise<string> {
  const [row] = await db.query<Row<'AuditCheckpoint', 'jws'>>(
    sql`INSERT INTO audit_checkpoints AS stored (tenant_id, seq, jws, created_at) VALUES (${checkpoint.tenantId}, ${checkpoint.seq}, ${checkpoint.jws}, ${checkpoint.now})
     ON CONFLICT (tenant_id, seq) DO UPDATE SET jws = stored.jws RETURNING jws`,
  )
  return row?.jws ?? checkpoint.jws
}

/** Tenants whose chain has grown since their newest checkpoint. */
export async function listTenantsToCheckpoint(db: Queryable): Promise<string[]> {
  const rows = await db.query<Row<'AuditHead', 'tenant_id'>>(
    sql`SELECT h.tenant_id FROM audit_heads h
      WHERE h.seq > coalesce((SELECT max(c.seq) FROM audit_checkpoints c WHERE c.tenant_id = h.tenant_id), 0)
      ORDER BY h.tenant_id`,
  )
  return rows.map((row) => row.tenant_id)
}

export type PaymentEntryRow = Row<'AuditEntry', 'seq' | 'ts' | 'event'> & { readonly dispute_status: string | null }

/** The entries about one payment, oldest first: of the time in which it was made, and of its dispute. */
export function listPaymentEntries(
  db: Queryable,
  owner: { readonly principalId: string; readonly tenantId: string },
  payment: { readonly paymentIntentId: string; readonly since: Date; readonly until: Date },
): Promise<PaymentEntryRow[]> {
  const columns = sql`seq, ts, event, payload::jsonb ->> 'dispute_status' AS dispute_status`
  const isAboutPayment = sql`tenant_id = ${owner.tenantId} AND principal_id = ${owner.principalId}
    AND payload::jsonb ->> 'payment_intent_id' = ${payment.paymentIntentId}`
  return db.query<PaymentEntryRow>(
    sql`SELECT ${columns} FROM audit_entries
      WHERE ${isAboutPayment} AND ts BETWEEN ${payment.since} AND ${payment.until} AND event <> 'oid4ac.payment.disputed'
     UNION ALL
     SELECT ${columns} FROM audit_entries WHERE ${isAboutPayment} AND event = 'oid4ac.payment.disputed'
     ORDER BY seq LIMIT 100`,
  )
}

/** Changes with the person's newest entry: an expression of a larger statement. */
export const auditRevisionSql = (principalId: string): Sql =>
  sql`(SELECT seq FROM audit_entries WHERE principal_id = ${principalId} ORDER BY ts DESC, seq DESC LIMIT 1)`
