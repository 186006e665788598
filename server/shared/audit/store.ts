import { type Prisma } from '@/prisma/generated/client'
import { type Database, type Queryable, type Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { canonicalJson } from '../../base/protocol/encoding'
import { type AuditEntry, type ChainPosition, GENESIS_HASH } from './chain'
import { DECLINED, securityEvents } from './events'

/** Locks the tenant's head for the rest of the transaction and advances its time, never backwards. */
export async function lockHead(tx: Queryable, tenantId: string, now: Date): Promise<ChainPosition & { ts: Date }> {
  const [row] = await tx.query<Row<'AuditHead', 'seq' | 'entry_hash' | 'ts'>>(
    sql`INSERT INTO audit_heads AS head (tenant_id, seq, entry_hash, ts) VALUES (${tenantId}, 0, ${GENESIS_HASH}, ${now})
     ON CONFLICT (tenant_id) DO UPDATE SET ts = greatest(head.ts, excluded.ts)
     RETURNING seq, entry_hash, ts`,
  )
  if (row === undefined) throw new Error('the chain head could not be locked')
  return { seq: row.seq, entryHash: row.entry_hash, ts: row.ts }
}

/**
 * Appends entries that follow the locked head, and moves the head to the last of them. The statements are only sent;
 * the commit waits for them.
 */
export function appendEntries(
  tx: Transaction,
  entries: readonly AuditEntry[],
  { principalIds, ts }: { principalIds: readonly (string | null)[]; ts: Date },
): void {
  const last = entries.at(-1)
  if (last === undefined) return
  tx.send(
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

/** Returns the entries `fromSeq` to `toSeq`, both included, in order. */
export function listEntries(db: Database, tenantId: string, range: { fromSeq: number; toSeq: number }) {
  return listEntriesWhere(db, { tenant_id: tenantId, seq: { gte: range.fromSeq, lte: range.toSeq } })
}

/** Returns the given entries of a tenant's chain, in order. */
export function listEntriesAt(db: Database, tenantId: string, seqs: readonly number[]) {
  return listEntriesWhere(db, { tenant_id: tenantId, seq: { in: [...seqs] } })
}

async function listEntriesWhere(db: Database, where: Prisma.AuditEntryWhereInput): Promise<AuditEntry[]> {
  const rows = await db.prisma.auditEntry.findMany({ select: entryColumns, where, orderBy: { seq: 'asc' } })
  return rows.map((row) => toEntry(rowOf<EntryRow>(row)))
}

/** Returns one entry if it is about this person; otherwise undefined. */
export async function findPrincipalEntry(
  db: Database,
  { tenantId, principalId }: { tenantId: string; principalId: string },
  seq: number,
): Promise<AuditEntry | undefined> {
  const [entry] = await listEntriesWhere(db, { tenant_id: tenantId, principal_id: principalId, seq })
  return entry
}

export interface PrincipalEntriesFilter {
  readonly from: Date | null
  readonly to: Date | null
  readonly events: readonly string[] | null
  /** Whether to list only entries that concern the wallet's security. */
  readonly security: boolean
  /** The agent that caused the entries, or whose payments or permissions they are about; null for all. */
  readonly clientId: string | null
  /** The entry before which the next page begins; numbers are those of the person's only tenant. */
  readonly beforeSeq: number | null
  readonly limit: number
}

/** Returns entries about one person, newest first. */
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
        AND (NOT ${filter.security} OR event = ANY (${securityEvents}::text[]) OR (event = ${DECLINED}
             AND (payload::jsonb ->> 'what' = 'wallet_access' OR payload::jsonb ->> 'means' IN ('token', 'callback'))))
        AND (${filter.clientId}::text IS NULL OR actor_id = ${filter.clientId} OR (actor_kind <> 'agent' AND ${filter.clientId} = coalesce(
               payload::jsonb ->> 'agent_client_id',
               (SELECT d.client_id FROM mandate_terms d WHERE d.id = payload::jsonb ->> 'mandate_id'))))
      ORDER BY ts DESC, seq DESC LIMIT ${filter.limit}::int`,
  )
  return rows.map(toEntry)
}

/** Returns all entries about one person, oldest first. */
export async function listEveryPrincipalEntry(
  db: Queryable,
  owner: { readonly tenantId: string; readonly principalId: string },
): Promise<AuditEntry[]> {
  const rows = await db.query<EntryRow>(
    sql`SELECT tenant_id, seq, ts, event, actor_kind, actor_id, payload, prev_hash, entry_hash FROM audit_entries
      WHERE principal_id = ${owner.principalId} AND tenant_id = ${owner.tenantId} ORDER BY seq`,
  )
  return rows.map(toEntry)
}

/** Returns the end of the chain; null while the tenant has no entries. */
export async function findHead(db: Database, tenantId: string): Promise<ChainPosition | null> {
  const found = await db.prisma.auditHead.findUnique({
    select: { seq: true, entry_hash: true },
    where: { tenant_id: tenantId, seq: { gt: 0 } },
  })
  if (found === null) return null
  const { seq, entry_hash: entryHash } = rowOf<Row<'AuditHead', 'seq' | 'entry_hash'>>(found)
  return { seq, entryHash }
}

export type PaymentEntryRow = Row<'AuditEntry', 'seq' | 'ts' | 'event'> & { readonly dispute_status: string | null }

/** Returns the entries about one payment, oldest first: those written while it was made, and those of its dispute. */
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

/** The ids and the time by which the entries about one purchase are found. */
export interface PurchaseReference {
  readonly mandateId: string
  /** The approval's id; null for a purchase that needed none. */
  readonly authorizationId: string | null
  /** The earliest time at which its first entry can have been written. */
  readonly since: Date
}

/** The most failed attempts of one purchase that are listed, the newest ones; older chains may hold any number. */
const FAILURES_TOLD = 50

/** Returns the entries about one purchase, oldest first: its approval, its payment, any dispute and any refund. */
export async function listPurchaseEntries(
  db: Queryable,
  owner: { readonly principalId: string; readonly tenantId: string },
  { mandateId, authorizationId, since }: PurchaseReference,
): Promise<AuditEntry[]> {
  const columns = sql`tenant_id, seq, ts, event, actor_kind, actor_id, payload, prev_hash, entry_hash`
  const isAboutPurchase = sql`tenant_id = ${owner.tenantId} AND principal_id = ${owner.principalId} AND ts >= ${since}
    AND (payload::jsonb ->> 'mandate_id' = ${mandateId} OR payload::jsonb ->> 'authorization_id' = ${authorizationId})`
  const rows = await db.query<EntryRow>(
    sql`SELECT * FROM (
       SELECT ${columns} FROM audit_entries
        WHERE ${isAboutPurchase}
          AND event IN ('oid4ac.consent.approved', 'oid4ac.payment.succeeded', 'oid4ac.payment.disputed', 'oid4ac.payment.refunded')
        ORDER BY seq LIMIT 100) told
     UNION ALL
     SELECT * FROM (
       SELECT ${columns} FROM audit_entries
        WHERE ${isAboutPurchase} AND event = 'oid4ac.payment.failed' ORDER BY seq DESC LIMIT ${FAILURES_TOLD}) failed
     ORDER BY seq`,
  )
  return rows.map(toEntry)
}

/** SQL expression: the position of the person's newest entry; part of the portal's revision. */
export const auditRevisionSql = (principalId: string): Sql =>
  sql`(SELECT seq FROM audit_entries WHERE principal_id = ${principalId} ORDER BY ts DESC, seq DESC LIMIT 1)`
