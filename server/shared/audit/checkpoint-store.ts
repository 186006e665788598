import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** A signed head as JWS, and as a C2SP note when it also states the tree. */
export type StoredCheckpoint = Row<'AuditCheckpoint', 'seq' | 'jws' | 'note'>

/** Returns the newest checkpoint, with the hash that its entry has now. */
export async function findLatestCheckpoint(db: Queryable, tenantId: string) {
  const [row] = await db.query<StoredCheckpoint & { entry_hash: string | null }>(
    sql`SELECT c.seq, c.jws, c.note, e.entry_hash FROM audit_checkpoints c
       LEFT JOIN audit_entries e ON e.tenant_id = c.tenant_id AND e.seq = c.seq
      WHERE c.tenant_id = ${tenantId} ORDER BY c.seq DESC LIMIT 1`,
  )
  if (row === undefined) return null
  const { entry_hash: entryHash, ...checkpoint } = row
  return { ...checkpoint, entryHash }
}

/**
 * Returns the first checkpoint at or after a position, which covers that position and all before it; null when there is
 * none yet.
 */
export async function findCheckpointFrom(
  db: Queryable,
  tenantId: string,
  seq: number,
): Promise<StoredCheckpoint | null> {
  const [row] = await db.query<StoredCheckpoint>(
    sql`SELECT seq, jws, note FROM audit_checkpoints WHERE tenant_id = ${tenantId} AND seq >= ${seq} ORDER BY seq LIMIT 1`,
  )
  return row ?? null
}

interface NewCheckpoint extends StoredCheckpoint {
  readonly tenantId: string
  /** A checkpoint whose key was blocked and which is replaced if it is for the same position; null for none. */
  readonly replacedJws: string | null
  readonly now: Date
}

/** Stores a checkpoint unless its position has one that also states the tree. Returns the stored one. */
export async function insertCheckpoint(
  db: Queryable,
  { tenantId, seq, jws, note, replacedJws, now }: NewCheckpoint,
): Promise<StoredCheckpoint> {
  const givesWay = sql`(stored.note IS NULL OR stored.jws = ${replacedJws}::text)`
  const [row] = await db.query<StoredCheckpoint>(
    sql`INSERT INTO audit_checkpoints AS stored (tenant_id, seq, jws, note, created_at) VALUES (${tenantId}, ${seq}, ${jws}, ${note}, ${now})
     ON CONFLICT (tenant_id, seq) DO UPDATE
       SET jws = CASE WHEN ${givesWay} THEN excluded.jws ELSE stored.jws END,
           note = CASE WHEN ${givesWay} THEN excluded.note ELSE stored.note END
     RETURNING seq, jws, note`,
  )
  return row ?? { seq, jws, note }
}

/**
 * Returns the tenants whose chain has grown by at least `leastEntries` entries since their newest checkpoint that
 * states the tree.
 */
export async function listTenantsToCheckpoint(db: Queryable, leastEntries: number): Promise<string[]> {
  const rows = await db.query<Row<'AuditHead', 'tenant_id'>>(
    sql`SELECT h.tenant_id FROM audit_heads h
      WHERE h.seq >= ${leastEntries}::int
                  + coalesce((SELECT max(c.seq) FROM audit_checkpoints c WHERE c.tenant_id = h.tenant_id AND c.note IS NOT NULL), 0)
      ORDER BY h.tenant_id`,
  )
  return rows.map((row) => row.tenant_id)
}

interface CheckpointLag {
  /** The most entries of any tenant since its newest checkpoint that states the tree. */
  readonly entries: number
  /** The seconds since the oldest entry of any tenant that no such checkpoint covers; 0 when all are covered. */
  readonly seconds: number
}

/** Returns how far the checkpoints of all tenants are behind. */
export async function readCheckpointLag(db: Queryable, now: Date): Promise<CheckpointLag> {
  // A scalar subquery uses the index; a join might be planned as a scan of all entries.
  const [row] = await db.query<CheckpointLag>(
    sql`SELECT coalesce(max(unsigned.entries), 0) AS entries,
               greatest(extract(epoch FROM ${now}::timestamptz - min(unsigned.since)), 0)::float8 AS seconds
          FROM (SELECT h.seq - signed.seq AS entries,
                       (SELECT e.ts FROM audit_entries e WHERE e.tenant_id = h.tenant_id AND e.seq = signed.seq + 1) AS since
                  FROM audit_heads h
                 CROSS JOIN LATERAL (SELECT coalesce(max(c.seq), 0) AS seq FROM audit_checkpoints c
                                      WHERE c.tenant_id = h.tenant_id AND c.note IS NOT NULL) signed
                 WHERE h.seq > signed.seq) unsigned`,
  )
  return row ?? { entries: 0, seconds: 0 }
}
