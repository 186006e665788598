import type { Database, Queryable, Sealer } from '../../core/platform'
import { type Sql, sql } from '../../core/sql'

/** A sealed value of a table. */
export interface SealedRow {
  readonly id: string
  readonly sealed: string
}

/** Which sealed values are wanted: in these formats, and under none of these keys. */
interface SealedQuery {
  readonly formats: readonly ('v1.' | 'v2.')[]
  readonly notUnder: readonly string[]
  /** Ids after this one, in their order. */
  readonly after: string
  readonly limit: number
}

/** The sealed values of one table, which only the owner of the table reads and writes. */
export interface SealedColumn {
  /** What they are, for people. */
  readonly what: string
  readonly contextOf: (id: string) => string
  readonly list: (db: Queryable, query: SealedQuery) => Promise<readonly SealedRow[]>
  /** Writes the value under the new key, unless the row has changed or is gone. */
  readonly replace: (db: Queryable, row: SealedRow, resealed: string) => Promise<unknown>
}

/** The condition of a query for sealed values. */
export const sealedOtherwiseSql = (column: Sql, { formats, notUnder }: SealedQuery): Sql =>
  sql`left(${column}, 3) = ANY (${formats}::text[]) AND split_part(${column}, '.', 2) <> ALL (${notUnder}::text[])`

/** The private parts of signing keys. */
export const sealedSigningKeys: SealedColumn = {
  what: 'signing keys',
  contextOf: (kid) => `signing-key/${kid}`,
  list: (db, query) =>
    db.query<SealedRow>(
      sql`SELECT kid AS id, sealed_private_key AS sealed FROM signing_keys
        WHERE kid > ${query.after} AND ${sealedOtherwiseSql(sql`sealed_private_key`, query)} ORDER BY kid LIMIT ${query.limit}`,
    ),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE signing_keys SET sealed_private_key = ${resealed} WHERE kid = ${id} AND sealed_private_key = ${sealed}`,
    ),
}

interface Opened {
  readonly db: Database
  readonly sealer: Sealer
}

const BATCH = 200

const underAnother = (sealer: Sealer) =>
  ({ formats: ['v1.', 'v2.'], notUnder: sealer.keyIds.slice(0, 1) }) satisfies Partial<SealedQuery>

/** Seals the values again that are not under the first key, at most `most`. Returns how many there were. */
export async function resealColumn({ db, sealer }: Opened, column: SealedColumn, most: number): Promise<number> {
  let count = 0
  let after = ''
  while (count < most) {
    const limit = Math.min(BATCH, most - count)
    const rows = await column.list(db, { ...underAnother(sealer), after, limit })
    for (const row of rows) {
      const context = column.contextOf(row.id)
      await column.replace(db, row, sealer.seal(sealer.open(row.sealed, context), context))
      after = row.id
    }
    count += rows.length
    if (rows.length < limit) break
  }
  return count
}

/** Whether a value of the column is sealed under another than the first key, or names none. */
export async function hasUnderAnother({ db, sealer }: Opened, column: SealedColumn): Promise<boolean> {
  const found = await column.list(db, { ...underAnother(sealer), after: '', limit: 1 })
  return found.length > 0
}

/** Whether a value of the column was sealed under none of the keys that are given. */
export async function hasUnopenable({ db, sealer }: Opened, column: SealedColumn): Promise<boolean> {
  const one = { notUnder: sealer.keyIds, after: '', limit: 1 }
  const unknown = await column.list(db, { ...one, formats: ['v2.'] })
  if (unknown.length > 0) return true
  // They do not name their key, and all were sealed under one.
  const [nameless] = await column.list(db, { ...one, formats: ['v1.'] })
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
