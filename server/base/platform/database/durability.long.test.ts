import { type ChildProcess, spawn } from 'node:child_process'
import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../core/sql'
import { type OpenDatabase, openDatabase } from './client'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-data-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
const open = (dataDir: string): Promise<OpenDatabase> =>
  openDatabase({ databaseUrl: null, dataDir, databasePoolSize: 1 })

/** Another process that opens the directory and commits rows without end, one line of output for each. */
const committing = `
  const { openDatabase } = await import('./server/base/platform/database/client.ts')
  const { sql } = await import('./server/base/core/sql.ts')
  const db = await openDatabase({ databaseUrl: null, dataDir: process.argv[1], databasePoolSize: 1 })
  await db.query(sql\`CREATE TABLE acknowledged (n integer PRIMARY KEY)\`)
  for (let n = 1; ; n += 1) {
    await db.transaction((tx) => tx.query(sql\`INSERT INTO acknowledged VALUES (\${n})\`))
    process.stdout.write(n + '\\n')
  }`

function startCommitting(dataDir: string): ChildProcess {
  const args = ['--import', 'tsx', '--input-type=module', '-e', committing, dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function acknowledgedUntil(child: ChildProcess, enough: number): Promise<number> {
  if (!child.stdout) throw new Error('its output is piped')
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let last = 0
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    if (last === enough) child.kill('SIGKILL')
  }
  await exit
  return last
}

describe('embedded database under a data directory', () => {
  test('a second process is refused by name, and what the first acknowledged survives its death', async () => {
    const dataDir = newDataDir()
    const child = startCommitting(dataDir)
    const refused: unknown[] = []
    await new Promise<void>((resolve) => child.stdout?.once('readable', () => resolve()))
    await open(dataDir).catch((error: unknown) => refused.push(error))
    expect(String(refused[0])).toContain(`The data directory is in use by process ${child.pid}`)

    const acknowledged = await acknowledgedUntil(child, 200)
    const db = await open(dataDir)
    const [row] = await db.query<{ count: number; highest: number }>(
      sql`SELECT count(*) AS count, max(n) AS highest FROM acknowledged`,
    )
    await db.close()
    expect(acknowledged).toBeGreaterThanOrEqual(200)
    expect(row?.highest).toBeGreaterThanOrEqual(acknowledged)
    expect(row?.count).toBe(row?.highest)
  })

  test('a commit reaches the disk before it is answered', async () => {
    const db = await open(newDataDir())
    await db.query(sql`CREATE TABLE notes (n integer)`)
    const real = fs.fdatasyncSync
    let flushes = 0
    fs.fdatasyncSync = (descriptor) => {
      flushes += 1
      real(descriptor)
    }
    syncBuiltinESMExports()
    try {
      await db.query(sql`INSERT INTO notes VALUES (1)`)
      expect(flushes).toBe(1)
      await db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO notes VALUES (2)`)
        await tx.query(sql`INSERT INTO notes VALUES (3)`)
        expect(flushes).toBe(1)
      })
      expect(flushes).toBe(2)
      await db.query(sql`SELECT * FROM notes`)
      expect(flushes).toBe(2)
      await db.query(sql`CHECKPOINT`)
      expect(flushes).toBeGreaterThan(2)
    } finally {
      fs.fdatasyncSync = real
      syncBuiltinESMExports()
      await db.close()
    }
  })
})
