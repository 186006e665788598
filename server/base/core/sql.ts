import { raw, Sql } from 'sql-template-tag'
import type { SqlScalar, SqlValue } from './platform'

export { Sql }

/**
 * Builds a SQL statement or a part of one. Values become parameters and parts are inserted, so the text depends only on
 * the code and can be prepared once: `` sql`SELECT ${columns} FROM clients WHERE id = ${clientId}` ``.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  return new Sql(strings, values)
}

/** Builds a part from SQL text, such as a list of column names. It must come from the code, never from a request. */
sql.raw = (text: string | number): Sql => raw(String(text))

type ColumnType = 'text' | 'int' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb'

/**
 * Builds rows for a FROM clause, one array parameter per column: `unnest(…) AS alias (columns)`. The text depends on
 * the columns, not on the number of rows. A jsonb column takes JSON text.
 */
sql.rows = <Column extends string>(
  alias: string,
  columns: Readonly<Record<Column, ColumnType>>,
  rows: readonly Readonly<Record<Column, SqlScalar | null>>[],
): Sql => {
  const entries = Object.entries<ColumnType>(columns)
  const arrays = entries.map(([name]) => rows.map((row) => row[name as Column]))
  const types = entries.map(([, type]) => type)
  const names = entries.map(([name]) => name).join(', ')
  return new Sql(
    ['unnest(', ...types.slice(0, -1).map((type) => `::${type}[], `), `::${types.at(-1)}[]) AS ${alias} (${names})`],
    arrays,
  )
}
