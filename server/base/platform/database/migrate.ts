import { hash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '../../core/failpoints'
import { sql } from '../../core/sql'
import { StartFailure } from '../start-failure'
import type { OpenDatabase } from './client'
import type { Session } from './driver'
import { sqlState } from './errors'

/** The id of the advisory lock that Prisma's migration engine uses, so that the two exclude each other. */
const MIGRATION_LOCK = 72_707_369
const LOCK_NOT_AVAILABLE = '55P03'

interface Migration {
  readonly name: string
  readonly script: string
  /** SHA-256 in hex, first of the file as it is, then with the other line endings. */
  readonly checksums: readonly string[]
}

interface AppliedMigration {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
}

/**
 * Brings the database to the newest migration and returns how many were applied. Layout and bookkeeping are those of
 * `prisma migrate deploy`, which may be used instead. Refuses a database that is newer than this program, that was
 * migrated by a migration that has been edited since, or in which a migration has failed.
 */
export async function migrate(db: OpenDatabase, directory = migrationsDirectory()): Promise<number> {
  const migrations = await readMigrations(directory)
  return db.session(async (session) => {
    if (db.kind === 'postgres') await lock(session)
    await session.script(createBookkeeping)
    const applied = await session.query<AppliedMigration>(
      sql`SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    )
    requireKnownHistory(migrations, applied)
    const known = new Set(applied.map((row) => row.migration_name))
    const pending = migrations.filter((migration) => !known.has(migration.name))
    for (const migration of pending) await apply(session, migration)
    return pending.length
  })
}

async function lock(session: Session): Promise<void> {
  try {
    await session.script(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`)
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new StartFailure('Another process is still migrating the database. Start again once it is done.', {
      cause: error,
    })
  }
}

/** Returns the default directory of the migrations, below the directory in which the program was started. */
export function migrationsDirectory(): string {
  return join(process.cwd(), 'prisma', 'migrations')
}

/** Reads the migrations of a directory in the order in which they apply. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(names.toSorted().map((name) => readMigration(directory, name)))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  const script = await readFile(join(directory, name, 'migration.sql'), 'utf8')
  const unix = script.replaceAll('\r\n', '\n')
  const spellings = [script, unix, unix.replaceAll('\n', '\r\n')]
  return { name, script, checksums: spellings.map((text) => hash('sha256', text, 'hex')) }
}

const createBookkeeping = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`

function requireKnownHistory(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const row of applied) {
    const migration = byName.get(row.migration_name)
    if (!migration) {
      throw new StartFailure(
        `The database has migration ${row.migration_name}, which this version does not know: a newer version wrote it. Start that version, or restore a backup from before.`,
      )
    }
    if (row.finished_at === null) {
      throw new StartFailure(`Migration ${row.migration_name} has failed before. Resolve it, then start again.`)
    }
    if (!migration.checksums.includes(row.checksum)) {
      throw new StartFailure(
        `Migration ${row.migration_name} was changed after it had been applied. Start the version that came with it.`,
      )
    }
  }
}

async function apply(session: Session, migration: Migration): Promise<void> {
  await session.script('BEGIN')
  try {
    await session.script(migration.script)
    await failpoint('boot.mid_migrate')
    await session.query(
      sql`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES (${randomUUID()}, ${migration.checksums[0] ?? ''}, ${migration.name}, clock_timestamp(), 1)`,
    )
    await session.script('COMMIT')
  } catch (error) {
    await session.script('ROLLBACK')
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Migration ${migration.name} failed, and nothing of it was kept: ${reason}`, { cause: error })
  }
}
