import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { openDatabase } from './client'
import { databaseContract } from './database.contract'

databaseContract(process.env['TEST_DATABASE_URL'] ? 'served' : 'in-memory', openTestDatabase)

describe('embedded database under a data directory', () => {
  test('an embedded database starts over when its creation was cut short', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    mkdirSync(join(dataDir, 'pg', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '18')
    writeFileSync(join(dataDir, 'pg-unfinished'), '')
    const db = await openDatabase({ databaseUrl: null, dataDir, databasePoolSize: 1 })
    await db.ping()
    expect(existsSync(join(dataDir, 'pg-unfinished'))).toBe(false)
    await db.close()
  })
})
