import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { OpenDatabase } from '@/server/base/platform/database/client'
import { openTestDatabase } from '../support/database'

/*
 * The Prisma schema and the migrations are written by hand, so both are turned into one list of facts and compared. What
 * the schema language cannot say (checks, triggers, partial and expression indexes) is left out on both sides.
 */

interface Model {
  readonly table: string
  readonly lines: readonly string[]
}

const typeOf: Readonly<Record<string, string>> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Json: 'jsonb',
  Bytes: 'bytea',
  'DateTime @db.Timestamptz': 'timestamp with time zone',
  'DateTime @db.Date': 'date',
}

function readModels(): Map<string, Model> {
  const directory = join(process.cwd(), 'prisma', 'schema')
  const text = readdirSync(directory)
    .filter((name) => name.endsWith('.prisma'))
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n')
  const models = [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']): [string, Model] => {
    const lines = body.split('\n').map((line) => line.replace(/\/\/.*/, '').trim())
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name
    return [name, { table, lines: lines.filter((line) => line !== '') }]
  })
  return new Map(models)
}

function schemaFacts(): string[] {
  const models = readModels()
  return [...models.values()].flatMap((model) => model.lines.flatMap((line) => factsOf(line, model, models))).toSorted()
}

function factsOf(line: string, { table }: Model, models: ReadonlyMap<string, Model>): string[] {
  if (line.startsWith('@@')) return blockFacts(line, table)
  const [, name = '', type = '', mark = '', attributes = ''] = /^(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/.exec(line) ?? []
  const target = models.get(type)
  if (target) return relationFacts(attributes, table, target)
  return columnFacts({ table, name, type, attributes, isOptional: mark === '?' })
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly attributes: string
  readonly isOptional: boolean
}

function columnFacts({ table, name, type, attributes, isOptional }: Column): string[] {
  const native = /@db\.\w+/.exec(attributes)?.[0]
  const sqlType = typeOf[[type, native].filter(Boolean).join(' ')] ?? `unknown type ${type} ${native}`
  const standard = /@default\("?([^")]*)"?\)/.exec(attributes)?.[1]
  return [
    `${table}.${name}: ${sqlType}${isOptional ? '' : ' not null'}${standard === undefined ? '' : ` default ${standard}`}`,
    ...(/@id\b/.test(attributes) ? [`${table}: primary key (${name})`] : []),
    ...(/@unique\b/.test(attributes) ? [`${table}: unique ${table}_${name}_key (${name})`] : []),
  ]
}

function blockFacts(line: string, table: string): string[] {
  const [, kind, list = ''] = /^@@(\w+)\(\[(.*?)\]/.exec(line) ?? []
  if (!kind) return []
  const columns = list.split(', ').map((column) => column.replace('(sort: Desc)', ' desc'))
  const name = /map: "(\w+)"/.exec(line)?.[1]
  if (kind === 'id') return [`${table}: primary key (${columns.join(', ')})`]
  if (kind === 'unique')
    return [`${table}: unique ${name ?? `${table}_${columns.join('_')}_key`} (${columns.join(', ')})`]
  return [`${table}: index ${name} (${columns.join(', ')})`]
}

function relationFacts(attributes: string, table: string, target: Model): string[] {
  const [, fields, references] = /fields: \[(.*?)\], references: \[(.*?)\]/.exec(attributes) ?? []
  if (!fields) return []
  const actions = /onDelete: NoAction, onUpdate: NoAction/.test(attributes) ? '' : ' with other actions'
  return [`${table}: foreign key (${fields}) to ${target.table} (${references})${actions}`]
}

async function databaseFacts(db: OpenDatabase): Promise<string[]> {
  const rows = await db.query<{ fact: string }>(sql`
    WITH tables AS (
      SELECT oid, relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations'
    ), indexes AS (
      SELECT t.relname AS table_name, c.relname AS index_name, i.indisprimary, i.indisunique,
        (SELECT string_agg(a.attname || CASE WHEN i.indoption[k - 1] & 1 = 1 THEN ' desc' ELSE '' END, ', ' ORDER BY k)
         FROM generate_series(1, i.indnkeyatts) AS k
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k - 1]) AS columns
      FROM pg_index i JOIN tables t ON t.oid = i.indrelid JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indpred IS NULL AND i.indexprs IS NULL
    )
    SELECT t.relname || '.' || a.attname || ': ' || format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
        || COALESCE(' default ' || regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^''(.*)''::\\w+$', '\\1'), '') AS fact
      FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    UNION ALL
    SELECT table_name || ': ' || CASE WHEN indisprimary THEN 'primary key'
        WHEN indisunique THEN 'unique ' || index_name ELSE 'index ' || index_name END || ' (' || columns || ')' FROM indexes
    UNION ALL
    SELECT t.relname || ': ' || replace(lower(pg_get_constraintdef(c.oid)), ' references ', ' to ')
      FROM pg_constraint c JOIN tables t ON t.oid = c.conrelid WHERE c.contype = 'f'`)
  return rows.map((row) => row.fact.replace(/ to (\w+)\(/, ' to $1 (')).toSorted()
}

/** Facts that only one side states. */
function differences(schema: readonly string[], database: readonly string[]): string[] {
  const only = (facts: readonly string[], others: readonly string[]) => facts.filter((fact) => !others.includes(fact))
  return [
    ...only(schema, database).map((fact) => `only in the schema: ${fact}`),
    ...only(database, schema).map((fact) => `only in the database: ${fact}`),
  ]
}

describe('the migrated database and the Prisma schema', () => {
  let db: OpenDatabase
  beforeAll(async () => {
    db = await openTestDatabase()
  })
  afterAll(() => db.close())

  test('the migrated database and the Prisma schema agree in tables, columns, types, nullability, defaults, keys, indexes and references', async () => {
    const facts = schemaFacts()
    expect(facts.length, 'the schema was read').toBeGreaterThan(300)
    expect(differences(facts, await databaseFacts(db))).toEqual([])
  })

  test.each([
    ['ALTER TABLE mandates ADD COLUMN note text', ['only in the database: mandates.note: text']],
    ['DROP TABLE sandbox_merchant_keys', 4],
    [
      'ALTER TABLE clients ALTER COLUMN purpose SET NOT NULL',
      ['only in the schema: clients.purpose: text', 'only in the database: clients.purpose: text not null'],
    ],
    [
      'ALTER TABLE mandates ALTER COLUMN status_index TYPE bigint',
      ['only in the schema: mandates.status_index: integer', 'only in the database: mandates.status_index: bigint'],
    ],
    [
      `ALTER TABLE jobs ALTER COLUMN state SET DEFAULT 'done'`,
      [
        'only in the schema: jobs.state: text not null default queued',
        'only in the database: jobs.state: text not null default done',
      ],
    ],
    ['DROP INDEX replay_keys_expiry', ['only in the schema: replay_keys: index replay_keys_expiry (expires_at)']],
    [
      'ALTER TABLE refresh_tokens DROP CONSTRAINT refresh_tokens_family_id_fkey',
      ['only in the schema: refresh_tokens: foreign key (family_id) to token_families (id)'],
    ],
    [
      'ALTER TABLE payments DROP CONSTRAINT payments_settlement_id_key',
      ['only in the schema: payments: unique payments_settlement_id_key (settlement_id)'],
    ],
  ])('a planted difference is found: %s', async (change, expected) => {
    const rolledBack = new Error('planted only for the comparison')
    const found = db.transaction(async (tx) => {
      await tx.query(sql.raw(change))
      const planted = { ...db, query: tx.query.bind(tx) } as OpenDatabase
      const list = differences(schemaFacts(), await databaseFacts(planted))
      expect(typeof expected === 'number' ? list.length : list).toEqual(expected)
      throw rolledBack
    })
    await expect(found).rejects.toBe(rolledBack)
  })
})
