import { type ChildProcess, spawn } from 'node:child_process'
import fs, { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** The program of a process that opens the directory and commits rows without end, one line of output for each. */
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
    const disk = watchDisk()
    const db = await open(newDataDir())
    await db.query(sql`CREATE TABLE notes (n integer)`)
    const before = disk.flushes
    await db.query(sql`INSERT INTO notes VALUES (1)`)
    expect(disk.flushes).toBe(before + 1)
    await db.transaction(async (tx) => {
      await tx.query(sql`INSERT INTO notes VALUES (2)`)
      await tx.query(sql`INSERT INTO notes VALUES (3)`)
      expect(disk.flushes).toBe(before + 1)
    })
    expect(disk.flushes).toBe(before + 2)
    await db.query(sql`SELECT * FROM notes`)
    expect(disk.flushes).toBe(before + 2)
    await db.query(sql`CHECKPOINT`)
    expect(disk.flushes).toBeGreaterThan(before + 2)
    await db.close()
  })

  test('what was answered survives a loss of power', async () => {
    const [dataDir, afterwards] = [newDataDir(), newDataDir()]
    const disk = watchDisk()
    const db = await open(dataDir)
    await db.query(sql`CREATE TABLE notes (n integer)`)
    await db.query(sql`INSERT INTO notes VALUES (1)`)
    cpSync(join(dataDir, 'pg'), join(afterwards, 'pg'), { recursive: true })
    for (const [path, content] of disk.flushedWal) writeFileSync(path.replace(dataDir, afterwards), content)
    await db.close()
    const recovered = await open(afterwards)
    expect(await recovered.query(sql`SELECT n FROM notes`)).toEqual([{ n: 1 }])
    await recovered.close()
  })

  test.each([
    ['flush', 'EIO'],
    ['write', 'ENOSPC'],
  ] as const)(
    'once the disk refuses to %s WAL (%s) nothing is answered until the next start',
    async (operation, code) => {
      const dataDir = newDataDir()
      const disk = watchDisk()
      const db = await open(dataDir)
      await db.query(sql`CREATE TABLE notes (n integer)`)
      await db.query(sql`INSERT INTO notes VALUES (1)`)
      disk.refuse(operation, code)
      const unavailable = { code: 'service_unavailable' }
      await expect(db.transaction((tx) => tx.query(sql`INSERT INTO notes VALUES (2)`))).rejects.toMatchObject(
        unavailable,
      )
      disk.refuse(null)
      await expect(db.query(sql`INSERT INTO notes VALUES (3)`)).rejects.toMatchObject(unavailable)
      await expect(db.prisma.replayKey.count()).rejects.toMatchObject(unavailable)
      await expect(db.ping()).rejects.toMatchObject(unavailable)
      await db.close()
      const recovered = await open(dataDir)
      const rows = await recovered.query<{ n: number }>(sql`SELECT n FROM notes ORDER BY n`)
      expect(rows[0]).toEqual({ n: 1 })
      expect(rows.map(({ n }) => n)).not.toContain(3)
      await recovered.close()
    },
  )
})

/** Records the writes of the database until the test ends, and can make them fail. A flush keeps earlier writes. */
function watchDisk() {
  const { openSync, writeSync, fdatasyncSync } = fs
  const paths = new Map<number, string>()
  const flushedWal = new Map<string, Buffer>()
  const disk = { flushes: 0 }
  let refused: { readonly operation: 'flush' | 'write' | null; readonly code?: string } = { operation: null }
  const allow = (operation: 'flush' | 'write', path: string): void => {
    if (refused.operation !== operation || !path.includes('/pg_wal/')) return
    throw Object.assign(new Error(`${refused.code}: ${operation}`), { code: refused.code })
  }
  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest)
    paths.set(descriptor, String(path))
    return descriptor
  }
  fs.writeSync = ((descriptor: number, ...rest: [never]) => {
    allow('write', paths.get(descriptor) ?? '')
    return writeSync(descriptor, ...rest)
  }) as typeof fs.writeSync
  fs.fdatasyncSync = (descriptor) => {
    const path = paths.get(descriptor) ?? ''
    allow('flush', path)
    disk.flushes += 1
    fdatasyncSync(descriptor)
    if (path.includes('/pg_wal/')) flushedWal.set(path, readFileSync(path))
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { openSync, writeSync, fdatasyncSync })
    syncBuiltinESMExports()
  })
  return Object.assign(disk, {
    flushedWal,
    refuse: (operation: 'flush' | 'write' | null, code = '') => void (refused = { operation, code }),
  })
}
