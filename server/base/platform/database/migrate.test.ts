import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openEmptyDatabase, openTestDatabase } from '@/test/support/database'
import { sql } from '../../core/sql'
import type { OpenDatabase } from './client'
import { migrate, migrationsDirectory, readMigrations } from './migrate'

const opened: OpenDatabase[] = []
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
})

async function opening(db: Promise<OpenDatabase>): Promise<OpenDatabase> {
  opened.push(await db)
  return db
}

/** Copies the real migrations and adds `added` ones after them; returns the directory. */
function copyWith(added: Readonly<Record<string, string>> = {}): string {
  const parent = mkdtempSync(join(tmpdir(), 'countersign-migrations-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const directory = join(parent, 'migrations')
  cpSync(migrationsDirectory(), directory, { recursive: true })
  for (const [name, script] of Object.entries(added)) {
    mkdirSync(join(directory, name), { recursive: true })
    writeFileSync(join(directory, name, 'migration.sql'), script)
  }
  return directory
}

describe('migrate', () => {
  test('migrate brings an empty database to the newest migration, and has nothing to do afterwards', async () => {
    const db = await opening(openEmptyDatabase())
    const migrations = await readMigrations(migrationsDirectory())
    expect(await migrate(db)).toBe(migrations.length)
    expect(await migrate(db)).toBe(0)
    expect(await db.query(sql`SELECT count(*) AS count FROM principals`)).toEqual([{ count: 0 }])
  })

  test('migrate keeps the books as prisma migrate deploy does', async () => {
    const db = await opening(openTestDatabase())
    const name = '20261121000000_init'
    const script = readFileSync(join(migrationsDirectory(), name, 'migration.sql'))
    const rows = await db.query(sql`SELECT * FROM _prisma_migrations WHERE migration_name = ${name}`)
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: createHash('sha256').update(script).digest('hex'),
        finished_at: expect.any(Date),
        migration_name: name,
        logs: null,
        rolled_back_at: null,
        started_at: expect.any(Date),
        applied_steps_count: 1,
      },
    ])
  })

  test('migrate applies what is new, in order', async () => {
    const db = await opening(openTestDatabase())
    const directory = copyWith({
      '29990102000000_b': 'ALTER TABLE extra ADD COLUMN more text',
      '29990101000000_a': "CREATE TABLE extra (id text); INSERT INTO extra VALUES ('one; two')",
    })
    expect(await migrate(db, directory)).toBe(2)
    expect(await db.query(sql`SELECT * FROM extra`)).toEqual([{ id: 'one; two', more: null }])
  })

  test('a migration that fails leaves nothing behind, and may be tried again', async () => {
    const db = await opening(openTestDatabase())
    const name = '29990101000000_half'
    const failing = copyWith({ [name]: 'CREATE TABLE half (id text); SELECT 1 / 0;' })
    await expect(migrate(db, failing)).rejects.toThrow(
      `Migration ${name} failed, and nothing of it was kept: division by zero`,
    )
    expect(await migrate(db, copyWith({ [name]: 'CREATE TABLE half (id text);' }))).toBe(1)
  })

  test('migrate refuses a migration that was changed after it had been applied', async () => {
    const db = await opening(openTestDatabase())
    const changed = copyWith({ '20261121000000_init': 'SELECT 1' })
    await expect(migrate(db, changed)).rejects.toThrow('20261121000000_init was changed after it had been applied')
  })

  test('migrate takes other line ends for no change', async () => {
    const db = await opening(openTestDatabase())
    const script = readFileSync(join(migrationsDirectory(), '20261121000000_init', 'migration.sql'), 'utf8')
    expect(await migrate(db, copyWith({ '20261121000000_init': script.replaceAll('\n', '\r\n') }))).toBe(0)
  })

  test('migrate refuses a database that is newer than the program', async () => {
    const db = await opening(openTestDatabase())
    await migrate(db, copyWith({ '29990101000000_future': 'SELECT 1' }))
    await expect(migrate(db)).rejects.toThrow('29990101000000_future, which this version does not know')
  })

  test('migrate refuses a database in which a migration of another tool has failed', async () => {
    const db = await opening(openTestDatabase())
    await db.query(sql`UPDATE _prisma_migrations SET finished_at = NULL`)
    await expect(migrate(db)).rejects.toThrow('20261121000000_init has failed before')
  })

  test('several processes that start at once apply each migration once', async () => {
    const db = await opening(openTestDatabase())
    const directory = copyWith({ '29990101000000_once': 'CREATE TABLE once (id text)' })
    const counts = await Promise.all([1, 2, 3].map(() => migrate(db, directory)))
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 1])
  })
})
