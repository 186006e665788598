import { randomUUID } from 'node:crypto'
import { rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isJsonObject, parseJson } from '../json.js'
import { LOCK_HEARTBEAT_MS, LOCK_RETRY_MS, LOCK_STALE_MS } from '../limits.js'
import { pause } from '../pause.js'
import { createPrivate, ensurePrivateDirectory, hasCode, readPrivate } from './private-files.js'

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
  return info !== null && !(await isAbandoned(path))
}

/** The file appears with its owner in it: a process that is killed on the way leaves no lock that nobody can judge. */
async function createLock(path: string): Promise<boolean> {
  const isTaken = (await stat(path).catch(() => null)) !== null
  return !isTaken && createPrivate(path, JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() }))
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

/**
 * Removes a lock that belongs to nobody. Two takers must not remove each other's fresh lock, so that one at a time looks
 * and removes.
 */
export async function removeStaleLock(path: string): Promise<void> {
  if (!(await isAbandoned(path))) return
  const guard = `${path}.takeover`
  if (!(await createLock(guard))) return removeOld(guard)
  try {
    if (await isAbandoned(path)) await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

/** Removes a file that is needed for an instant only, and so never shown to be alive. */
export async function removeOld(path: string): Promise<void> {
  const info = await stat(path).catch(() => null)
  if (info !== null && Date.now() - info.mtimeMs > LOCK_STALE_MS) await rm(path, { force: true })
}

/** Whether the lock is there and belongs to nobody who is alive. */
async function isAbandoned(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null)
  if (info === null) return false
  if (Date.now() - info.mtimeMs > LOCK_STALE_MS) return true
  const text = await readPrivate(path).catch(() => null)
  if (text === null) return false
  const owner = parseJson(text)
  // A lock is there as a whole or not at all, so that one without an owner was left by a crash of the machine.
  if (!isJsonObject(owner) || typeof owner['pid'] !== 'number') return true
  return owner['host'] === hostname() && !isAlive(owner['pid'])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
