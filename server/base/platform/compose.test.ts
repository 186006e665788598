import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { openBefore } from '@/test/support/upgrade'
import { sql } from '../core/sql'
import { createClock, systemClock } from './clock'
import { type ComposedPlatform, composePlatform } from './compose'
import { getPlatform, installPlatform } from './container'
import type { OpenDatabase } from './database/client'
import { migrationsDirectory, readMigrations } from './database/migrate'
import { openKeyring } from './keys/keyring'
import { rotateSigningKeys } from './keys/rotate-signing-keys'
import { createSealer } from './keys/sealer'
import { createLogger } from './logger'
import { systemRandomness } from './random'

const logger = createLogger('silent')
function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-compose-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'data')
}
const opened: (ComposedPlatform | OpenDatabase)[] = []
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

async function start(env: Record<string, string>, database?: OpenDatabase): Promise<ComposedPlatform> {
  const composed = await composePlatform(env, { logger, ...(database && { database }) })
  opened.push(composed)
  return composed
}

describe('composing the platform', () => {
  test('data, secrets and keys from an empty environment are there after a restart', async () => {
    const env = { DATA_DIR: newDataDir() }
    const first = await start(env)
    const { keys, sealer, db } = first.platform
    expect(first.facts).toEqual({
      database: 'embedded',
      databaseVersion: expect.stringMatching(/^\d+\.\d+/),
      migrationsApplied: readdirSync('prisma/migrations').length - 1,
      isFirstRun: true,
      cache: 'memory',
      mail: 'outbox',
      warnings: [],
      signingKid: keys.current('access_token').kid,
      milliseconds: expect.any(Number),
    })
    expect(readdirSync(env.DATA_DIR).toSorted()).toEqual([
      'key-encryption-key',
      'lock',
      'operator-token',
      'pg',
      'processor-webhook-secret',
      'rcs-callback-secret',
    ])
    await expect(composePlatform(env, { logger })).rejects.toThrow(`in use by process ${process.pid}`)
    const kid = keys.current('access_token').kid
    const sealed = sealer.seal(Buffer.from('kept'), 'test')
    await db.query(sql`INSERT INTO switch_overrides VALUES ('settlement', false, now())`)
    await first.close()
    expect(existsSync(join(env.DATA_DIR, 'lock'))).toBe(false)

    const { platform, facts } = await start(env)
    expect(facts).toMatchObject({ migrationsApplied: 0, isFirstRun: false })
    expect(platform.keys.current('access_token').kid).toBe(kid)
    expect(platform.sealer.open(sealed, 'test').toString()).toBe('kept')
    expect(await platform.switches.isOn('settlement')).toBe(false)
    const nonce = platform.dpopNonces.current(platform.clock.now())
    expect(platform.dpopNonces.isValid(nonce, platform.clock.now())).toBe(true)
  })

  test('a start that migrates a database with keys is not its first run', async () => {
    const newest = (await readMigrations(migrationsDirectory())).at(-1)
    const database = await openBefore(newest?.name ?? '')
    const key = randomBytes(32)
    const keys = await openKeyring(database, createSealer([key], systemRandomness), systemClock)
    const { facts } = await start({ DATA_DIR: newDataDir(), KEY_ENCRYPTION_KEY: key.toString('hex') }, database)
    const { kid } = keys.current('access_token')
    expect(facts).toMatchObject({ migrationsApplied: 1, isFirstRun: false, signingKid: kid })
  })

  test('outside the sandbox a start without a mail server warns that mail goes nowhere', async () => {
    const database = await openTestDatabase()
    opened.push(database)
    const secret = () => randomBytes(32).toString('hex')
    const live = {
      SANDBOX: 'false',
      OPERATOR_TOKEN: secret(),
      PROCESSOR_WEBHOOK_SECRET: secret(),
      RCS_CALLBACK_SECRET: secret(),
      KEY_ENCRYPTION_KEY: secret(),
    }
    const warningsOf = async (env: Record<string, string>) => {
      const { facts, close } = await composePlatform({ DATA_DIR: newDataDir(), ...env }, { logger, database })
      await close()
      return facts.warnings
    }
    expect(await warningsOf(live)).toEqual(['Mail goes nowhere, and people cannot sign in by mail: set SMTP_URL.'])
    expect(await warningsOf({ ...live, SMTP_URL: 'smtp://127.0.0.1' })).toEqual([])
  })

  test('a start that fails leaves nothing locked or open', async () => {
    const env = { DATA_DIR: newDataDir() }
    const first = await start(env)
    await first.close()
    const otherKey = { ...env, KEY_ENCRYPTION_KEY: createHash('sha256').update('another key').digest('hex') }
    await expect(composePlatform(otherKey, { logger })).rejects.toThrow('KEY_ENCRYPTION_KEY is not the one')
    expect(existsSync(join(env.DATA_DIR, 'lock'))).toBe(false)
  })

  test('a rotation reaches the keyring through the cache', async () => {
    const database = await openTestDatabase()
    opened.push(database)
    const { platform } = await start({ DATA_DIR: newDataDir() }, database)
    const before = platform.keys.current('mandate').kid
    const [rotated] = await rotateSigningKeys(platform, ['mandate'])
    await expect.poll(() => platform.keys.current('mandate').kid).toBe(rotated?.current)
    expect(platform.keys.find('mandate', before)).toBeDefined()
  })

  test('a database that was given stays open', async () => {
    const database = await openTestDatabase()
    opened.push(database)
    const composed = await start({ DATA_DIR: newDataDir() }, database)
    await composed.close()
    await expect(database.ping()).resolves.toBeUndefined()
  })
})

describe('the container', () => {
  test('the container holds one platform for every bundle of the process', async () => {
    // Test files that ran before in this process may have left their platform.
    installPlatform(null)
    expect(() => getPlatform()).toThrow('has not been started')
    const database = await openTestDatabase()
    opened.push(database)
    const { platform } = await start({ DATA_DIR: newDataDir() }, database)
    installPlatform(platform)
    expect(getPlatform()).toBe(platform)
    expect((globalThis as Record<symbol, unknown>)[Symbol.for('countersign.platform')]).toBe(platform)
    installPlatform(null)
    expect(() => getPlatform()).toThrow('has not been started')
  })
})

test.each([5_000, -5_000])("a clock that is %i ms ahead of the database's tells the database's time", (ahead) => {
  const difference = systemClock.now().getTime() - createClock(ahead).now().getTime()
  expect(Math.abs(difference - ahead)).toBeLessThan(100)
})
