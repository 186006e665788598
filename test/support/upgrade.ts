import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OpenDatabase } from '@/server/base/platform/database/client'
import { migrate, migrationsDirectory, readMigrations } from '@/server/base/platform/database/migrate'
import { openEmptyDatabase } from './database'

/**
 * Opens a database as it was before a migration; it is closed when the test ends. `migrate` or `migrateBefore` then
 * upgrades it.
 */
export async function openBefore(migration: string): Promise<OpenDatabase> {
  const db = await openEmptyDatabase()
  onTestFinished(() => db.close())
  await migrateBefore(db, migration)
  return db
}

/** Applies the migrations before this one. */
export async function migrateBefore(db: OpenDatabase, migration: string): Promise<void> {
  const earlier = mkdtempSync(join(tmpdir(), 'countersign-earlier-'))
  onTestFinished(() => rmSync(earlier, { recursive: true, force: true }))
  for (const { name } of await readMigrations(migrationsDirectory())) {
    if (name < migration) cpSync(join(migrationsDirectory(), name), join(earlier, name), { recursive: true })
  }
  await migrate(db, earlier)
}
