import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Neighbouring hashes at one height, from `first` to `last`, both included. */
export interface HashRun {
  readonly height: number
  readonly first: number
  readonly last: number
}

export type NodeRow = Row<'AuditNode', 'height' | 'position' | 'hash'>

/**
 * Returns the hashes of entries by their position in the tree: entry number 1 is leaf 0. Each run is a separate index
 * scan: for a single join PostgreSQL estimates a tenth of the chain, and reads all of it.
 */
export function listEntryHashes(db: Queryable, tenantId: string, runs: readonly HashRun[]) {
  return db.query<Row<'AuditNode', 'position' | 'hash'>>(
    sql`SELECT e.seq - 1 AS position, e.entry_hash AS hash
       FROM unnest(${runs.map(({ first }) => first)}::bigint[], ${runs.map(({ last }) => last)}::bigint[]) AS run (first, last)
      CROSS JOIN LATERAL (
        SELECT seq, entry_hash FROM audit_entries
         WHERE tenant_id = ${tenantId} AND seq BETWEEN run.first + 1 AND run.last + 1
         ORDER BY seq LIMIT run.last - run.first + 1) e`,
  )
}

/** Returns stored nodes, each run by a separate index scan as well. */
export function listNodes(db: Queryable, tenantId: string, runs: readonly HashRun[]): Promise<NodeRow[]> {
  return db.query<NodeRow>(
    sql`SELECT run.height, n.position, n.hash
       FROM unnest(${runs.map(({ height }) => height)}::integer[], ${runs.map(({ first }) => first)}::bigint[], ${runs.map(({ last }) => last)}::bigint[]) AS run (height, first, last)
      CROSS JOIN LATERAL (
        SELECT position, hash FROM audit_nodes
         WHERE tenant_id = ${tenantId} AND height = run.height AND position BETWEEN run.first AND run.last
         ORDER BY position LIMIT run.last - run.first + 1) n`,
  )
}

/** Returns the number of nodes at a height; they are written in order, without gaps. */
export async function countNodes(db: Queryable, tenantId: string, height: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT coalesce(max(position) + 1, 0) AS count FROM audit_nodes WHERE tenant_id = ${tenantId} AND height = ${height}`,
  )
  return row?.count ?? 0
}

/** Inserts nodes. Those that another process has inserted meanwhile stay: both were computed from the same entries. */
export async function insertNodes(db: Queryable, tenantId: string, nodes: readonly NodeRow[]): Promise<void> {
  await db.query(
    sql`INSERT INTO audit_nodes (tenant_id, height, position, hash)
     SELECT ${tenantId}, n.height, n.position, n.hash
       FROM unnest(${nodes.map(({ height }) => height)}::integer[], ${nodes.map(({ position }) => position)}::bigint[], ${nodes.map(({ hash }) => hash)}::text[]) AS n (height, position, hash)
     ON CONFLICT DO NOTHING`,
  )
}
