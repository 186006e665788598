/** Decisions F43 and G52: a start waits for its database, and one that fails says what, where, and what to do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '@/scripts/portal/free-port'
import { sql } from '@/server/base/core/sql'
import { composePlatform } from '@/server/base/platform/compose'
import { awaitDatabase, readClockDifference } from '@/server/base/platform/database/await-database'
import { openDatabase } from '@/server/base/platform/database/client'
import { createLogger } from '@/server/base/platform/logger'
import { explainFileError } from '@/server/base/platform/start-failure'
import { createHttpServer } from '@/server/transport/http'
import { openTestDatabase } from '../support/database'
import { type PostgresStub, startPostgresStub } from '../support/postgres-stub'

const PASSWORD = 'not-for-the-log'
const stubs: PostgresStub[] = []
afterEach(async () => {
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()))
})

async function stubAt(...options: Parameters<typeof startPostgresStub>): Promise<PostgresStub> {
  const stub = await startPostgresStub(...options)
  stubs.push(stub)
  return stub
}

function newDirectory(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'countersign-start-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const urlOf = (port: number) => `postgres://shop:${PASSWORD}@127.0.0.1:${port}/shop`

/** A served database, whether it answers or not, and the lines of the log. */
async function openServed(port: number) {
  const place = { databaseUrl: urlOf(port), dataDir: newDirectory() }
  const db = await openDatabase({ ...place, databasePoolSize: 1 })
  onTestFinished(() => db.close())
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const wait = (startTimeoutSeconds: number) => awaitDatabase(db, { ...place, startTimeoutSeconds, log })
  return { db, lines, wait }
}

/** The error of a start in this environment, which leaves nothing locked. */
async function failureOf(env: Readonly<Record<string, string>>): Promise<Error> {
  const logger = createLogger('silent')
  const started = composePlatform(env, { logger })
  const error = await started.then(
    ({ close }) => close().then(() => null),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('the start did not fail')
  return error
}

const served = (port: number, more: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: urlOf(port),
  SANDBOX: 'true',
  DATA_DIR: newDirectory(),
  ...more,
})

describe('a database that is away', () => {
  test('F43 is waited for, and the log says so', async () => {
    const port = await freePort()
    const { lines, wait } = await openServed(port)
    const waiting = wait(30)
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      message: 'waiting for the database',
      database: `127.0.0.1:${port}/shop`,
      reason: expect.stringContaining('ECONNREFUSED'),
      startTimeoutSeconds: 30,
    })
    await stubAt(port)
    await waiting
    expect(lines.join()).not.toContain(PASSWORD)
  })

  test('F43 is waited for while it starts', async () => {
    const port = await freePort()
    const { lines, wait } = await openServed(port)
    // cannot_connect_now
    const starting = await stubAt(port, { refusesWith: '57P03' })
    const waiting = wait(30)
    await vi.waitFor(() => expect(lines.join()).toContain('57P03'))
    await starting.stop()
    await stubAt(port)
    await waiting
  })

  test('F43 the log says so every five seconds', { timeout: 15_000 }, async () => {
    const { lines, wait } = await openServed(await freePort())
    await expect(wait(6)).rejects.toThrow('did not answer within 6 s')
    expect(lines.map((line) => JSON.parse(line)['waitedSeconds'])).toEqual([0, 5])
  })

  test('F43 ends the start after START_TIMEOUT_SECONDS with where it was looked for and what to do', async () => {
    const port = await freePort()
    const startedAt = performance.now()
    const { name, message } = await failureOf(served(port, { START_TIMEOUT_SECONDS: '1' }))
    expect(performance.now() - startedAt).toBeGreaterThan(1_000)
    expect([name, message]).toEqual([
      'StartFailure',
      `The database at 127.0.0.1:${port}/shop did not answer within 1 s: connect ECONNREFUSED 127.0.0.1:${port}. Start it, or correct DATABASE_URL.`,
    ])
  })

  test('F43 while the server runs is a 503 until it is back', async () => {
    const port = await freePort()
    const { db } = await openServed(port)
    const stub = await stubAt(port)
    await db.ping()
    await stub.stop()
    await expect(db.ping()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    await stubAt(port)
    await db.ping()
  })
})

describe('a database that refuses', () => {
  test.each([
    ['28P01', /the password is wrong .*Correct the user or the password in DATABASE_URL\.$/],
    ['28000', /this user may not connect .*pg_hba\.conf\.$/],
    ['3D000', /there is no such database .*Create it, or correct the name in DATABASE_URL\.$/],
    ['53100', /has no space left on its disk\. Free some, then start again\.$/],
    ['0A000', /cannot be used: refused\. Correct DATABASE_URL\.$/],
    ['XX001', /is damaged .*Restore it from a backup\.$/],
  ])('G52 with %s ends the start at once, in words, without the password', async (refusesWith, words) => {
    const port = await freePort()
    await stubAt(port, { refusesWith })
    const { name, message } = await failureOf(served(port))
    expect([name, message]).toEqual(['StartFailure', expect.stringMatching(words)])
    expect(message).toContain(`127.0.0.1:${port}/shop`)
    expect(message).not.toContain(PASSWORD)
  })

  test('G52 is refused itself when its clock is more than a minute off', async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const place = { databaseUrl: urlOf(5432), dataDir: '' }
    const clockAt = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) })
    expect((await readClockDifference(db, clockAt(58), place)) / 1_000).toBeCloseTo(58, 0)
    expect((await readClockDifference(db, clockAt(-58), place)) / 1_000).toBeCloseTo(-58, 0)
    expect(await readClockDifference(db, clockAt(0), place)).toBe(0)
    await expect(readClockDifference(db, clockAt(62), place)).rejects.toThrow(
      /^The clock of this machine is 6[12] s ahead of that of the database at 127\.0\.0\.1:5432\/shop\. Set both right/,
    )
    await expect(readClockDifference(db, clockAt(-3_600), place)).rejects.toThrow(/is 3[56]\d\d s behind that/)
  })

  test('G52 is refused itself when a newer version has written it', async () => {
    const database = await openTestDatabase()
    onTestFinished(() => database.close())
    await database.query(
      sql`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_later', now())`,
    )
    const start = composePlatform({ DATA_DIR: newDirectory() }, { database, logger: createLogger('silent') })
    await expect(start).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(/29990101000000_later, .* Start that version, or restore a backup from before\.$/),
    })
  })
})

describe('a data directory', () => {
  test('G52 whose database is damaged is said to be, and is left as it is', async () => {
    const env = { DATA_DIR: newDirectory() }
    const { close } = await composePlatform(env, { logger: createLogger('silent') })
    await close()
    const control = path.join(env.DATA_DIR, 'pg/global/pg_control')
    writeFileSync(control, 'nothing')
    const { name, message } = await failureOf(env)
    expect([name, message]).toEqual([
      'StartFailure',
      expect.stringMatching(/^The database at .*\/pg cannot be opened: (its files are damaged|the disk is full)/),
    ])
    expect(message).toContain(env.DATA_DIR)
    expect(readFileSync(control, 'utf8')).toBe('nothing')
    expect(readdirSync(env.DATA_DIR)).not.toContain('lock')
  })

  test('G52 that cannot be one is named with what to do', async () => {
    const file = path.join(newDirectory(), 'file')
    writeFileSync(file, '')
    for (const DATA_DIR of [file, path.join(file, 'below')]) {
      const { name, message } = await failureOf({ DATA_DIR })
      expect([name, message]).toEqual([
        'StartFailure',
        expect.stringMatching(/ cannot be used: .* \((EEXIST|ENOTDIR)\)\. Correct DATA_DIR\.$/),
      ])
      expect(message).toContain(DATA_DIR)
    }
  })

  test.runIf(process.platform === 'linux')('G52 on a full disk is named with what to do', () => {
    const full = () => writeFileSync('/dev/full', 'x')
    expect(full).toThrow('ENOSPC')
    const error = (() => {
      try {
        return full()
      } catch (reason) {
        return reason
      }
    })()
    expect(explainFileError(error, '/srv/data')).toMatchObject({
      name: 'StartFailure',
      message:
        'The data directory /srv/data cannot be used: the disk is full (ENOSPC). Free some space, or choose another DATA_DIR.',
    })
  })
})

test('G52 a port in use is named with what to do', async () => {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  const env = { DATA_DIR: newDirectory() }
  const { platform, close } = await composePlatform(env, { database, logger: createLogger('silent') })
  onTestFinished(() => close())
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const lane = { handle: async () => false }
  const server = createHttpServer({ platform, lane, fallback: async (_, response) => void response.end() })
  await expect(server.listen(port)).rejects.toMatchObject({
    name: 'StartFailure',
    message: `The server cannot listen on 127.0.0.1, port ${port}: another program does (EADDRINUSE). Stop that one, or choose another PORT.`,
  })
})
