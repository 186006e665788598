import { randomUUID } from 'node:crypto'
import { open, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isJsonObject, parseJson } from '../json.js'
import { LOCK_HEARTBEAT_MS, LOCK_RETRY_MS, LOCK_STALE_MS } from '../limits.js'
import { pause } from '../pause.js'
import { ensurePrivateDirectory, hasCode, readPrivate } from './private-files.js'

/** Gives the lock back. */
export type Release = () => Promise<void>

/** How long to wait for a lock. */
export interface LockWait {
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly until: number
}

/**
 * Takes a lock across processes: a file that only one can create. Null when it is still taken at the end of the wait.
 * The file shows signs of life; a lock of a process that is gone is taken over.
 *
 * proper-lockfile cannot keep this: it waits until the lock of a dead process has aged, and several takers can get one
 * stale lock.
 * @see {@link https://github.com/moxystudio/node-proper-lockfile/issues/121}
 */
export async function takeLock(path: string, wait: LockWait): Promise<Release | null> {
  await ensurePrivateDirectory(dirname(path))
  for (;;) {
    if (await createLock(path)) return holdLock(path)
    await removeStaleLock(path)
    if (await createLock(path)) return holdLock(path)
    if (Date.now() >= wait.until) return null
    await pause(Math.min(LOCK_RETRY_MS, wait.until - Date.now()), wait.signal)
  }
}

/** Whether somebody alive holds the lock. */
export async function isLocked(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null)
  return info !== null && !(await isStale(path))
}

async function createLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() }))
    await file.close()
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

function holdLock(path: string): Release {
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => clearInterval(heartbeat))
  }, LOCK_HEARTBEAT_MS)
  heartbeat.unref()
  return async () => {
    clearInterval(heartbeat)
    await rm(path, { force: true })
  }
}

/** Two takers must not remove each other's fresh lock, so that one at a time looks and removes. */
async function removeStaleLock(path: string): Promise<void> {
  if (!(await isStale(path))) return
  const guard = `${path}.takeover`
  if (!(await createLock(guard))) {
    const info = await stat(guard).catch(() => null)
    if (info !== null && Date.now() - info.mtimeMs > LOCK_STALE_MS) await rm(guard, { force: true })
    return
  }
  try {
    if (await isStale(path)) await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

async function isStale(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null)
  if (info === null) return false
  if (Date.now() - info.mtimeMs > LOCK_STALE_MS) return true
  const owner = parseJson((await readPrivate(path).catch(() => null)) ?? '')
  // A lock that is empty is being written at this moment.
  if (!isJsonObject(owner) || owner['host'] !== hostname() || typeof owner['pid'] !== 'number') return false
  return !isAlive(owner['pid'])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
