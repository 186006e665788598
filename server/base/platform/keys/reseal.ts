import type { Database, Queryable, Sealer } from '../../core/platform'
import { type Sql, sql } from '../../core/sql'

/** A sealed value of a table. */
export interface SealedRow {
  readonly id: string
  readonly sealed: string
}

/** A query for values that are sealed under none of the given keys; the key is '' for old values that name none. */
interface SealedQuery {
  readonly notUnder: readonly string[]
  readonly limit: number
}

/** Access to the sealed values of one table, provided by the module that owns the table. */
export interface SealedColumn {
  /** The name of the values for people. */
  readonly what: string
  readonly contextOf: (id: string) => string
  readonly list: (db: Queryable, query: SealedQuery) => Promise<readonly SealedRow[]>
  /** Writes the value under the new key, unless the row has changed or is gone. */
  readonly replace: (db: Queryable, row: SealedRow, resealed: string) => Promise<unknown>
}

/** Returns SQL for the key that a sealed value names, in the exact words of the indexes on it. */
const sealingKeySql = (column: Sql): Sql =>
  sql`CASE WHEN ${column} LIKE 'v2.%' THEN split_part(${column}, '.', 2) ELSE '' END`

/** Returns the SQL condition of a query for sealed values. */
export const sealedOtherwiseSql = (column: Sql, { notUnder }: SealedQuery): Sql =>
  sql`${column} IS NOT NULL AND ${sealingKeySql(column)} <> ALL (${notUnder}::text[])`

/** Lists sealed values of a large table by its index on the keys, of which there are few. */
export const sealedByKeySql = (table: Sql, column: Sql, { notUnder, limit }: SealedQuery): Sql => {
  const key = sealingKeySql(column)
  return sql`WITH RECURSIVE keys AS (
      (SELECT ${key} AS key FROM ${table} WHERE ${column} IS NOT NULL ORDER BY 1 LIMIT 1)
      UNION ALL
      SELECT (SELECT ${key} FROM ${table} WHERE ${column} IS NOT NULL AND ${key} > keys.key ORDER BY 1 LIMIT 1)
        FROM keys WHERE keys.key IS NOT NULL)
    SELECT v.id, v.sealed FROM keys
     CROSS JOIN LATERAL (
       SELECT id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL AND ${key} = keys.key LIMIT ${limit}) v
     WHERE keys.key <> ALL (${notUnder}::text[]) LIMIT ${limit}`
}

/** The private parts of signing keys. */
export const sealedSigningKeys: SealedColumn = {
  what: 'signing keys',
  contextOf: (kid) => `signing-key/${kid}`,
  list: (db, query) =>
    db.query<SealedRow>(
      sql`SELECT kid AS id, sealed_private_key AS sealed FROM signing_keys
        WHERE ${sealedOtherwiseSql(sql`sealed_private_key`, query)} LIMIT ${query.limit}`,
    ),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE signing_keys SET sealed_private_key = ${resealed} WHERE kid = ${id} AND sealed_private_key = ${sealed}`,
    ),
}

interface SealedStore {
  readonly db: Database
  readonly sealer: Sealer
}

const BATCH = 200

const underAnother = ({ keyIds }: Sealer, limit: number): SealedQuery => ({ notUnder: keyIds.slice(0, 1), limit })

/** Seals at most `most` values again that are not under the first key. Returns their number. */
export async function resealColumn({ db, sealer }: SealedStore, column: SealedColumn, most: number): Promise<number> {
  let count = 0
  while (count < most) {
    const limit = Math.min(BATCH, most - count)
    const rows = await column.list(db, underAnother(sealer, limit))
    for (const row of rows) {
      const context = column.contextOf(row.id)
      await column.replace(db, row, sealer.seal(sealer.open(row.sealed, context), context))
    }
    count += rows.length
    if (rows.length < limit) break
  }
  return count
}

/** Whether a value of the column is sealed under a key other than the first one, or names none. */
export async function hasUnderAnother({ db, sealer }: SealedStore, column: SealedColumn): Promise<boolean> {
  const found = await column.list(db, underAnother(sealer, 1))
  return found.length > 0
}

/** Whether a value of the column was sealed under none of the keys that are given. */
export async function hasUnopenable({ db, sealer }: SealedStore, column: SealedColumn): Promise<boolean> {
  const unknown = await column.list(db, { notUnder: ['', ...sealer.keyIds], limit: 1 })
  if (unknown.length > 0) return true
  // All values that name no key were sealed under the same key.
  const [nameless] = await column.list(db, { notUnder: sealer.keyIds, limit: 1 })
  return nameless !== undefined && !opens(sealer, nameless.sealed, column.contextOf(nameless.id))
}

function opens(sealer: Sealer, sealed: string, context: string): boolean {
  try {
    sealer.open(sealed, context)
    return true
  } catch {
    return false
  }
}
