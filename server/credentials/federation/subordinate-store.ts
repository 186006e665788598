import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { JsonObject } from '../../base/protocol/encoding'

export const subordinateStatuses = ['active', 'suspended', 'revoked'] as const
type SubordinateStatus = (typeof subordinateStatuses)[number]

/** An entity that this server vouches for, as the operator registered it. */
export type SubordinateRow = Readonly<
  Row<
    'FederationSubordinate',
    | 'entity_id'
    | 'status'
    | 'entity_types'
    | 'jwks'
    | 'metadata'
    | 'metadata_policy'
    | 'constraints'
    | 'trust_mark_ids'
    | 'created_at'
    | 'updated_at',
    {
      status: SubordinateStatus
      entity_types: readonly string[]
      jwks: { readonly keys: readonly JsonObject[] }
      metadata: JsonObject | null
      metadata_policy: JsonObject | null
      constraints: JsonObject | null
      trust_mark_ids: readonly string[]
    }
  >
>

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Inserts an entity; null when its id is taken, even by an entity that was revoked. */
export async function insertSubordinate(tx: Transaction, row: SubordinateRow): Promise<SubordinateRow | null> {
  const [inserted] = await tx.query<SubordinateRow>(
    sql`INSERT INTO federation_subordinates (entity_id, status, entity_types, jwks, metadata, metadata_policy, constraints,
                                          trust_mark_ids, created_at, updated_at)
     VALUES (${row.entity_id}, ${row.status}, ${json(row.entity_types)}::jsonb, ${json(row.jwks)}::jsonb,
             ${json(row.metadata)}::jsonb, ${json(row.metadata_policy)}::jsonb, ${json(row.constraints)}::jsonb,
             ${json(row.trust_mark_ids)}::jsonb, ${row.created_at}, ${row.updated_at})
     ON CONFLICT (entity_id) DO NOTHING RETURNING *`,
  )
  return inserted ?? null
}

/** Locks one entity until the commit; null when there is none. */
export async function lockSubordinate(tx: Transaction, entityId: string): Promise<SubordinateRow | null> {
  const [row] = await tx.query<SubordinateRow>(
    sql`SELECT * FROM federation_subordinates WHERE entity_id = ${entityId} FOR UPDATE`,
  )
  return row ?? null
}

/** Updates all columns that may change of an entity that is locked. */
export async function updateSubordinate(tx: Transaction, row: SubordinateRow): Promise<void> {
  await tx.query(
    sql`UPDATE federation_subordinates SET status = ${row.status}, entity_types = ${json(row.entity_types)}::jsonb,
       jwks = ${json(row.jwks)}::jsonb, metadata = ${json(row.metadata)}::jsonb,
       metadata_policy = ${json(row.metadata_policy)}::jsonb, constraints = ${json(row.constraints)}::jsonb,
       trust_mark_ids = ${json(row.trust_mark_ids)}::jsonb, updated_at = ${row.updated_at}
     WHERE entity_id = ${row.entity_id}`,
  )
}

/** Returns all entities, whatever their status. */
export function listSubordinates(db: Queryable): Promise<SubordinateRow[]> {
  return db.query<SubordinateRow>(sql`SELECT * FROM federation_subordinates ORDER BY entity_id COLLATE "C"`)
}

/** Returns an active entity; null for one that is unknown, suspended or revoked. */
export async function findActiveSubordinate(db: Queryable, entityId: string): Promise<SubordinateRow | null> {
  const [row] = await db.query<SubordinateRow>(
    sql`SELECT * FROM federation_subordinates WHERE entity_id = ${entityId} AND status = 'active'`,
  )
  return row ?? null
}

interface SubordinateFilter {
  /** Entities of one of these types; null filters nothing. */
  readonly entityTypes: readonly string[] | null
  /** True for entities that hold an active mark, whichever, false for those that hold none; null filters nothing. */
  readonly isMarked: boolean | null
  /** Entities that hold this mark; null filters nothing. */
  readonly trustMarkId: string | null
  readonly now: Date
}

/** Returns the ids of active entities that match, in order. */
export async function listActiveIds(db: Queryable, filter: SubordinateFilter): Promise<string[]> {
  const { entityTypes, isMarked, trustMarkId, now } = filter
  const rows = await db.query<Pick<SubordinateRow, 'entity_id'>>(
    sql`WITH marks AS (
       SELECT m.sub, m.trust_mark_id FROM federation_trust_marks m JOIN federation_subordinates s ON s.entity_id = m.sub
        WHERE m.revoked_at IS NULL AND m.expires_at > ${now} AND s.trust_mark_ids @> jsonb_build_array(m.trust_mark_id))
     SELECT s.entity_id FROM federation_subordinates s
      WHERE s.status = 'active'
        AND (${entityTypes === null}::boolean OR EXISTS (
          SELECT 1 FROM jsonb_array_elements_text(s.entity_types) t WHERE t = ANY (${entityTypes ?? []}::text[])))
        AND (${isMarked}::boolean IS NULL
             OR ${isMarked}::boolean = EXISTS (SELECT 1 FROM marks WHERE marks.sub = s.entity_id))
        AND (${trustMarkId}::text IS NULL OR EXISTS (
          SELECT 1 FROM marks WHERE marks.sub = s.entity_id AND marks.trust_mark_id = ${trustMarkId}))
      ORDER BY s.entity_id COLLATE "C"`,
  )
  return rows.map((row) => row.entity_id)
}

/** Returns the marks that any active entity may hold. */
export async function listEligibleMarks(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`SELECT DISTINCT t.id FROM federation_subordinates s, jsonb_array_elements_text(s.trust_mark_ids) t(id)
      WHERE s.status = 'active'`,
  )
  return rows.map(({ id }) => id).toSorted()
}

/** Returns the status of a subordinate; null for an entity that is none. */
export async function findSubordinateStatus(db: Queryable, entityId: string): Promise<SubordinateStatus | null> {
  const [row] = await db.query<Pick<SubordinateRow, 'status'>>(
    sql`SELECT status FROM federation_subordinates WHERE entity_id = ${entityId}`,
  )
  return row?.status ?? null
}

/** Returns the entities that may hold a mark, whatever their status. */
export async function listEligibleIds(db: Queryable, trustMarkId: string): Promise<string[]> {
  const rows = await db.query<Pick<SubordinateRow, 'entity_id'>>(
    sql`SELECT entity_id FROM federation_subordinates WHERE trust_mark_ids @> jsonb_build_array(${trustMarkId}::text)`,
  )
  return rows.map((row) => row.entity_id)
}
