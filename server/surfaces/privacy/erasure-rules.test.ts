/** D61: each table, and each column that can hold words, has a rule of erasure; each table also has one of retention. */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { retention } from '../../base/core/retention'
import type { Retention } from '../../base/core/retention-entry'
import { sql } from '../../base/core/sql'
import type { OpenDatabase } from '../../base/platform/database/client'
import { erasureRules, redactedColumns } from './erasure-rules'

const { tables } = createRequire(import.meta.url)('../../../modules.cjs') as { tables: Record<string, string[]> }

interface StoredColumn {
  readonly table: string
  readonly column: string
  readonly words: boolean
}

let db: OpenDatabase
let columns: readonly StoredColumn[]
beforeAll(async () => {
  db = await openTestDatabase()
  columns = await db.query<StoredColumn>(
    sql`SELECT table_name AS table, column_name AS column,
               data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY') AS words
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'`,
  )
})
afterAll(() => db.close())

const rules = Object.values(erasureRules)
const namesOf = (list: readonly { table: string }[]) => [...new Set(list.map(({ table }) => table))].toSorted()

test('D61 each table has one rule of erasure', () => {
  expect(rules.map(({ table }) => table).toSorted()).toEqual(namesOf(columns))
})

test('D61 each column of text, JSON or bytes is erased or kept, and none is named that does not exist', () => {
  for (const { table, erases, keeps, step } of rules) {
    const ofTable = columns.filter((column) => column.table === table)
    const names = ofTable.map(({ column }) => column)
    for (const column of [...erases, ...(keeps ?? [])]) expect(names, table).toContain(column)
    expect(step === null, table).toBe(erases.length === 0)
    if (keeps === undefined) continue
    const words = ofTable.filter((column) => column.words).map(({ column }) => column)
    const ruled = [...erases, ...keeps].filter((column) => words.includes(column))
    expect(ruled.toSorted(), table).toEqual(words.toSorted())
  }
})

test('D61 what the answer lists is sorted by table and column', () => {
  const listed = redactedColumns.flatMap(({ table, columns: names }) => names.map((name) => `${table} ${name}`))
  expect(listed).toEqual(listed.toSorted())
  expect(listed).toContain('principals email')
})

test('each table has one period of retention', () => {
  const kinds: readonly Retention[] = Object.values(retention)
  expect(kinds.flatMap((kind) => kind.tables).toSorted()).toEqual(Object.values(tables).flat().toSorted())
})
