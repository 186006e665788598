import type { Platform } from '@/server/base/core/platform'
import { type Sql, sql } from '@/server/base/core/sql'
import { erasureRules } from '@/server/surfaces/privacy/erasure-rules'

/** The tables that erasure has a step for, with the columns that it empties or deletes. */
const erasedTables = Object.values(erasureRules).filter(({ step }) => step !== null)

const ofAgents = (principalId: string): Sql =>
  sql`client_id IN (SELECT id FROM agents WHERE principal_id = ${principalId})`

/** How the rows of a person are found in the tables that do not name the person as the others do. */
const owners: Readonly<Record<string, (principalId: string) => Sql>> = {
  principals: (principalId) => sql`id = ${principalId}`,
  idempotent_replies: ofAgents,
  merchant_rules: ofAgents,
  // A request whose link is still to be mailed knows the address alone; here only one person has asked for one.
  sign_in_requests: (principalId) => sql`principal_id = ${principalId} OR sealed_email IS NOT NULL`,
}

/** What one person's rows of one table hold. */
export interface StoredTable {
  readonly table: string
  readonly rows: number
  /** Of each column that erasure empties, what is in it, as JSON; without what says nothing. */
  readonly held: ReadonlyMap<string, ReadonlySet<string>>
}

const EMPTY = new Set(['null', '""', '{}', '[]'])

/** All that erasure is for, as it stands now. */
export function readStored(platform: Platform, principalId: string): Promise<StoredTable[]> {
  return Promise.all(erasedTables.map((rule) => readTable(platform, principalId, rule)))
}

async function readTable(
  { db }: Platform,
  principalId: string,
  { table, erases }: (typeof erasedTables)[number],
): Promise<StoredTable> {
  const owner = owners[table]?.(principalId) ?? sql`principal_id = ${principalId}`
  const rows = await db.query<{ row: Record<string, unknown> }>(
    sql`SELECT to_jsonb(t) AS row FROM ${sql.raw(table)} t WHERE ${owner}`,
  )
  const valuesOf = (column: string) => {
    const values = rows.map(({ row }) => JSON.stringify(row[column] ?? null))
    return new Set(values.filter((value) => !EMPTY.has(value)))
  }
  const columns: readonly string[] = erases
  return { table, rows: rows.length, held: new Map(columns.map((column) => [column, valuesOf(column)])) }
}
