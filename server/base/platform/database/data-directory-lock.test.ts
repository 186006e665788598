import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { lockDataDirectory } from './data-directory-lock'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-lock-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const locking = `
  const { lockDataDirectory } = await import('./server/base/platform/database/data-directory-lock.ts')
  try {
    lockDataDirectory(process.argv[1])
    process.stdout.write('locked')
    setInterval(() => undefined, 60_000)
  } catch (error) {
    process.stdout.write(error.message)
  }`

/** Starts another process that tries to lock the directory; resolves with its first output. */
async function lockElsewhere(dataDir: string): Promise<{ child: ChildProcess; says: string }> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', locking, dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const says = await new Promise<string>((resolve) => child.stdout?.once('data', (data) => resolve(String(data))))
  return { child, says }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

describe('data directory lock', () => {
  test('another process is refused the lock while this one holds it, and may have it afterwards', async () => {
    const dataDir = newDataDir()
    const unlock = lockDataDirectory(dataDir)
    expect(statSync(join(dataDir, 'lock')).mode & 0o777).toBe(0o600)
    expect((await lockElsewhere(dataDir)).says).toBe(
      `The data directory is in use by process ${process.pid} (${dataDir}/lock). Stop it first, or give this one its own DATA_DIR or a DATABASE_URL.`,
    )
    unlock()
    expect(existsSync(join(dataDir, 'lock'))).toBe(false)
    expect((await lockElsewhere(dataDir)).says).toBe('locked')
  })

  test('the process that holds the lock is refused it too', () => {
    const dataDir = newDataDir()
    const unlock = lockDataDirectory(dataDir)
    expect(() => lockDataDirectory(dataDir)).toThrow(`in use by process ${process.pid}`)
    unlock()
    lockDataDirectory(dataDir)()
  })

  test('a dead process holds no lock', async () => {
    const dataDir = newDataDir()
    const { child, says } = await lockElsewhere(dataDir)
    expect(says).toBe('locked')
    expect(() => lockDataDirectory(dataDir)).toThrow(`in use by process ${child.pid}`)
    const exit = ended(child)
    child.kill('SIGKILL')
    await exit
    const unlock = lockDataDirectory(dataDir)
    expect(readdirSync(dataDir)).toEqual(['lock'])
    unlock()
  })

  test('exactly one of many processes that find a dead lock at once gets it', async () => {
    const dataDir = newDataDir()
    const { child } = await lockElsewhere(dataDir)
    const exit = ended(child)
    child.kill('SIGKILL')
    await exit
    const attempts = await Promise.all([1, 2, 3, 4, 5].map(() => lockElsewhere(dataDir)))
    expect(attempts.filter(({ says }) => says === 'locked')).toHaveLength(1)
  })

  test('a later process with the number of a dead one is not taken for it', () => {
    const dataDir = newDataDir()
    const unlock = lockDataDirectory(dataDir)
    const path = join(dataDir, 'lock')
    const holder = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...holder, started: 'long ago', nonce: 'of the dead' }))
    const unlockAgain = lockDataDirectory(dataDir)
    unlock()
    expect(existsSync(path), 'the first one gives back only its own lock').toBe(true)
    unlockAgain()
    expect(existsSync(path)).toBe(false)
  })

  test('a process of another host or container cannot be judged and is left alone', () => {
    const dataDir = newDataDir()
    const unlock = lockDataDirectory(dataDir)
    const path = join(dataDir, 'lock')
    const holder = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...holder, pid: 999_999, processTable: 'elsewhere' }))
    expect(() => lockDataDirectory(dataDir)).toThrow(/process 999999 .* another host or in another container/)
    unlock()
  })

  test('an unreadable lock is left alone', () => {
    const dataDir = newDataDir()
    writeFileSync(join(dataDir, 'lock'), '12345')
    expect(() => lockDataDirectory(dataDir)).toThrow('not a lock that this program wrote')
    expect(readFileSync(join(dataDir, 'lock'), 'utf8')).toBe('12345')
  })
})
