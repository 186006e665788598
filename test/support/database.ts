import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { sql } from '@/server/base/core/sql'
import { type DatabaseLocation, type OpenDatabase, openDatabase } from '@/server/base/platform/database/client'
import { migrate, migrationsDirectory, readMigrations } from '@/server/base/platform/database/migrate'
import { createInMemory, openReused } from './embedded'

const SNAPSHOT_PREFIX = 'countersign-test-'
const DAY_MILLISECONDS = 86_400_000
const TEMPLATE_LOCK = 4_711_001

/** The PostgreSQL server to test on; null for the embedded database. Its role must be able to create databases. */
const serverUrl = process.env['TEST_DATABASE_URL'] || null

/** What an embedded database starts from: no table, or all of them. */
type Start = 'empty' | 'migrated'

/** What a worker has read or created already; its test files share this module. */
const kept: { [start in Start]?: Promise<Blob> } & { template?: Promise<string> } = {}

/** Runs once before all tests and creates the snapshot or template that test files use. */
export async function setup(): Promise<void> {
  if (serverUrl === null) for (const start of ['empty', 'migrated'] as const) await readSnapshot(start)
  else await createTemplate(serverUrl)
}

/**
 * Opens a migrated database that no other test uses: in memory, or a new one on the server of TEST_DATABASE_URL.
 * Closing it removes it.
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  return serverUrl === null ? openFrom('migrated') : openOnServer(serverUrl)
}

/** Opens a database without any table, like the one that `openTestDatabase` migrates. */
export async function openEmptyDatabase(): Promise<OpenDatabase> {
  return serverUrl === null ? openFrom('empty') : createOnServer(serverUrl, 'template0')
}

async function openFrom(start: Start): Promise<OpenDatabase> {
  const snapshot = await readKept(start)
  return openInMemory(start === 'empty' ? await createInMemory(snapshot) : await openReused(snapshot))
}

function readKept(start: Start): Promise<Blob> {
  kept[start] ??= readSnapshot(start)
  return kept[start]
}

/**
 * Opens several independent connections to one new database, as several processes have; null on the embedded database,
 * which has one.
 */
export async function openSharedDatabase(count: number): Promise<OpenDatabase[] | null> {
  if (serverUrl === null) return null
  const first = await openOnServer(serverUrl)
  const [{ name } = { name: '' }] = await first.query<{ name: string }>(sql`SELECT current_database() AS name`)
  const location = served(withDatabase(serverUrl, name))
  const others = await Promise.all(Array.from({ length: count - 1 }, () => openDatabase(location)))
  return [first, ...others]
}

function openInMemory(pg: PGlite): Promise<OpenDatabase> {
  return openDatabase({ databaseUrl: null, dataDir: '', databasePoolSize: 1, inMemory: pg })
}

function served(databaseUrl: string): DatabaseLocation {
  return { databaseUrl, dataDir: '', databasePoolSize: 10 }
}

/** Returns a digest that changes with every migration and with the embedded database's version. */
async function fingerprint(): Promise<string> {
  const manifest = readFileSync(join(process.cwd(), 'node_modules/@electric-sql/pglite/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const migrations = await readMigrations(migrationsDirectory())
  const text = JSON.stringify([version, migrations.map(({ name, checksums }) => [name, checksums[0]])])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

async function readSnapshot(start: Start): Promise<Blob> {
  const path = join(tmpdir(), `${SNAPSHOT_PREFIX}${await fingerprint()}-${start}.tar`)
  if (!existsSync(path)) await writeSnapshot(start, path)
  return new Blob([readFileSync(path)])
}

async function writeSnapshot(start: Start, path: string): Promise<void> {
  const db = start === 'empty' ? await openInMemory(await createInMemory()) : await openFrom('empty')
  if (start === 'empty') await dropTemplates(db)
  else await migrate(db)
  const dump = await db.dump()
  await db.close()
  // Renamed into place, so that a test file that starts meanwhile reads all of it or nothing.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()))
  renameSync(draft, path)
  removeOldSnapshots()
}

/** Removes the templates for new databases, which every test file would unpack for nothing. */
async function dropTemplates(db: OpenDatabase): Promise<void> {
  await db.query(sql`UPDATE pg_database SET datistemplate = false`)
  for (const name of ['template0', 'template1']) await db.query(sql`DROP DATABASE ${sql.raw(name)}`)
}

/** Removes the snapshots of earlier migrations, once they are too old to be in use. */
function removeOldSnapshots(): void {
  const paths = readdirSync(tmpdir())
    .filter((name) => name.startsWith(SNAPSHOT_PREFIX))
    .map((name) => join(tmpdir(), name))
  const old = paths.filter(
    (path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - DAY_MILLISECONDS,
  )
  for (const path of old) rmSync(path, { force: true })
}

/** Creates, at the first call, the migrated database that others are copied from. */
async function createTemplate(url: string): Promise<string> {
  const template = `countersign_template_${await fingerprint()}`
  await asAdministrator(url, async (client) => {
    await client.query(sql`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`)
    const { rows } = await client.query(sql`SELECT 1 FROM pg_database WHERE datname = ${template}`)
    if (rows.length > 0) return
    const draft = `countersign_draft_${randomBytes(6).toString('hex')}`
    await client.query(sql`CREATE DATABASE ${sql.raw(draft)}`)
    const db = await openDatabase(served(withDatabase(url, draft)))
    await migrate(db)
    await db.close()
    await client.query(sql`ALTER DATABASE ${sql.raw(draft)} RENAME TO ${sql.raw(template)}`)
  })
  return template
}

async function openOnServer(url: string): Promise<OpenDatabase> {
  kept.template ??= createTemplate(url)
  return createOnServer(url, await kept.template)
}

async function createOnServer(url: string, template: string): Promise<OpenDatabase> {
  const name = `countersign_test_${randomBytes(6).toString('hex')}`
  await asAdministrator(url, (client) =>
    client.query(sql`CREATE DATABASE ${sql.raw(name)} TEMPLATE ${sql.raw(template)}`),
  )
  const db = await openDatabase(served(withDatabase(url, name)))
  const close = db.close.bind(db)
  const closeAndDrop = async (): Promise<void> => {
    await close()
    await asAdministrator(url, (client) => client.query(sql`DROP DATABASE IF EXISTS ${sql.raw(name)} WITH (FORCE)`))
  }
  return Object.assign(db, { close: closeAndDrop })
}

async function asAdministrator(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
