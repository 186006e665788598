import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { canonicalJson } from '../../base/protocol/encoding'
import { type AuditEntry, type ChainPosition, GENESIS_HASH } from './chain'

/** Locks the tenant's head for the rest of the transaction and moves its time forward, never back. */
export async function lockHead(tx: Queryable, tenantId: string, now: Date): Promise<ChainPosition & { ts: Date }> {
  const [row] = await tx.query<{ seq: number; entry_hash: string; ts: Date }>(
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

interface EntryRow {
  tenant_id: string
  seq: number
  ts: Date
  event: string
  actor_kind: string
  actor_id: string
  payload: string
  prev_hash: string
  entry_hash: string
}

const entryColumns = sql`tenant_id, seq, ts, event, actor_kind, actor_id, payload, prev_hash, entry_hash`

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
export async function readEntries(db: Queryable, tenantId: string, range: { fromSeq: number; toSeq: number }) {
  const rows = await db.query<EntryRow>(
    sql`SELECT ${entryColumns} FROM audit_entries WHERE tenant_id = ${tenantId} AND seq BETWEEN ${range.fromSeq} AND ${range.toSeq} ORDER BY seq`,
  )
  return rows.map(toEntry)
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
export async function readPrincipalEntries(
  db: Queryable,
  owner: { tenantId: string; principalId: string },
  filter: PrincipalEntriesFilter,
): Promise<AuditEntry[]> {
  const rows = await db.query<EntryRow>(
    sql`SELECT ${entryColumns} FROM audit_entries
      WHERE principal_id = ${owner.principalId} AND tenant_id = ${owner.tenantId}
        AND (${filter.from}::timestamptz IS NULL OR ts >= ${filter.from}) AND (${filter.to}::timestamptz IS NULL OR ts <= ${filter.to})
        AND (${filter.events}::text[] IS NULL OR event = ANY (${filter.events})) AND (${filter.beforeSeq}::bigint IS NULL OR seq < ${filter.beforeSeq})
        AND (${filter.clientId}::text IS NULL OR actor_id = ${filter.clientId} OR (actor_kind <> 'agent' AND ${filter.clientId} = coalesce(
               payload::jsonb ->> 'agent_client_id',
               (SELECT d.client_id FROM mandates d WHERE d.id = payload::jsonb ->> 'mandate_id'))))
      ORDER BY ts DESC, seq DESC LIMIT ${filter.limit}::int`,
  )
  return rows.map(toEntry)
}

/** The end of the chain; null while the tenant has no entries. */
export async function readHead(db: Queryable, tenantId: string): Promise<ChainPosition | null> {
  const [row] = await db.query<{ seq: number; entry_hash: string }>(
    sql`SELECT seq, entry_hash FROM audit_heads WHERE tenant_id = ${tenantId} AND seq > 0`,
  )
  return row === undefined ? null : { seq: row.seq, entryHash: row.entry_hash }
}

/** The newest checkpoint, with the hash that its entry has now. */
export async function readLatestCheckpoint(db: Queryable, tenantId: string) {
  const [row] = await db.query<{ seq: number; jws: string; entry_hash: string | null }>(
    sql`SELECT c.seq, c.jws, e.entry_hash FROM audit_checkpoints c
       LEFT JOIN audit_entries e ON e.tenant_id = c.tenant_id AND e.seq = c.seq
      WHERE c.tenant_id = ${tenantId} ORDER BY c.seq DESC LIMIT 1`,
  )
  return row === undefined ? null : { seq: row.seq, jws: row.jws, entryHash: row.entry_hash }
}

/** The first checkpoint at or after a position, which vouches for it and for all before it; null when there is none yet. */
export async function readCheckpointFrom(db: Queryable, tenantId: string, seq: number) {
  const [row] = await db.query<{ seq: number; jws: string }>(
    sql`SELECT seq, jws FROM audit_checkpoints WHERE tenant_id = ${tenantId} AND seq >= ${seq} ORDER BY seq LIMIT 1`,
  )
  return row ?? null
}

/** The given entries of a tenant's chain, in order. */
export async function readEntriesAt(db: Queryable, tenantId: string, seqs: readonly number[]): Promise<AuditEntry[]> {
  const rows = await db.query<EntryRow>(
    sql`SELECT ${entryColumns} FROM audit_entries WHERE tenant_id = ${tenantId} AND seq = ANY (${seqs}::bigint[]) ORDER BY seq`,
  )
  return rows.map(toEntry)
}

/** Keeps a checkpoint; the first one for a position stands. Returns the one that stands. */
export async function keepCheckpoint(
  db: Queryable,
  checkpoint: { tenantId: string; seq: number; jws: string; now: Date },
): Promise<string> {
  const [row] = await db.query<{ jws: string }>(
    sql`INSERT INTO audit_checkpoints AS kept (tenant_id, seq, jws, created_at) VALUES (${checkpoint.tenantId}, ${checkpoint.seq}, ${checkpoint.jws}, ${checkpoint.now})
     ON CONFLICT (tenant_id, seq) DO UPDATE SET jws = kept.jws RETURNING jws`,
  )
  return row?.jws ?? checkpoint.jws
}

/** Tenants whose chain has grown since their newest checkpoint. */
export async function findTenantsToCheckpoint(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(
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
