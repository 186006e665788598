import { randomUUID } from 'node:crypto'
import { readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isJsonObject, type JsonObject, parseJson } from '../json.js'
import { LOCK_HEARTBEAT_MS, LOCK_KEEP_MS, LOCK_RETRY_MS, LOCK_STALE_MS } from '../limits.js'
import { pause } from '../pause.js'
import { createPrivate, ensurePrivateDirectory, hasCode, readPrivate } from './private-files.js'

/** A lock that this process has taken. */
export interface Lock {
  /**
   * Returns whether the lock is still held: after this process slept for long, another machine may have taken it over.
   */
  isHeld(): Promise<boolean>
  /** Releases the lock if it is still held. */
  release(): Promise<void>
}

/** How long to wait for a lock. */
export interface LockWait {
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** Returns a wait of no time: the lock is taken at once or not at all. */
export const withoutWait = (): LockWait => ({ signal: new AbortController().signal, until: 0 })

/**
 * Takes a lock across processes: a file that only one can create. Returns null when it is not free by the end of the
 * wait. The file's time is updated as a heartbeat; the lock of a process that has ended is taken over.
 * proper-lockfile does not do this: it waits until the lock of a dead process has aged, and several processes can take
 * one stale lock.
 * @see {@link https://github.com/moxystudio/node-proper-lockfile/issues/121}
 */
export async function takeLock(path: string, wait: LockWait): Promise<Lock | null> {
  await ensurePrivateDirectory(dirname(path))
  for (;;) {
    const id = (await createLock(path)) ?? (await removeStaleLock(path).then(() => createLock(path)))
    if (id !== null) return holdLock(path, id)
    if (Date.now() >= wait.until) return null
    await pause(Math.min(LOCK_RETRY_MS, wait.until - Date.now()), wait.signal)
  }
}

/** Returns whether a running process holds the lock. */
export async function isLocked(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null)
  return info !== null && !(await isAbandoned(path))
}

/**
 * Creates the lock file and returns its id; null when it exists. The file appears with its content, so that a process
 * that is killed meanwhile leaves no lock without an owner.
 */
async function createLock(path: string): Promise<string | null> {
  if ((await stat(path).catch(() => null)) !== null) return null
  const id = randomUUID()
  const owner = { pid: process.pid, host: hostname(), started: await startOf(process.pid), id }
  return (await createPrivate(path, JSON.stringify(owner))) ? id : null
}

function holdLock(path: string, id: string): Lock {
  const isHeld = async () => (await readOwner(path))?.['id'] === id
  const beat = async () => {
    const now = new Date()
    if (await isHeld()) await utimes(path, now, now).catch(() => undefined)
    else clearInterval(heartbeat)
  }
  const heartbeat = setInterval(() => void beat(), LOCK_HEARTBEAT_MS)
  heartbeat.unref()
  return {
    isHeld,
    async release() {
      clearInterval(heartbeat)
      if (await isHeld()) await rm(path, { force: true })
    },
  }
}

/**
 * Removes an abandoned lock. Only one process at a time checks and removes, so that two do not remove each other's new
 * lock.
 */
export async function removeStaleLock(path: string): Promise<void> {
  if (!(await isAbandoned(path))) return
  const guard = `${path}.takeover`
  const id = await createLock(guard)
  if (id === null) return removeOld(guard)
  try {
    if (await isAbandoned(path)) await rm(path, { force: true })
  } finally {
    if ((await readOwner(guard))?.['id'] === id) await rm(guard, { force: true })
  }
}

/** Removes an old file of a kind that is needed only briefly and has no heartbeat. */
export async function removeOld(path: string): Promise<void> {
  if ((await ageOf(path)) > LOCK_STALE_MS) await rm(path, { force: true })
}

/**
 * Returns whether the lock exists and is abandoned. For a lock of another machine, its age decides. For one of this
 * machine, whose process may only have slept, its age does not count, unless the process number may have been reused.
 */
async function isAbandoned(path: string): Promise<boolean> {
  const age = await ageOf(path)
  const text = await readPrivate(path).catch(() => null)
  if (text === null) return age > LOCK_STALE_MS
  const owner = parseJson(text)
  // A lock file appears as a whole, so one without an owner was left by a crash of the machine.
  if (!isJsonObject(owner) || typeof owner['pid'] !== 'number') return true
  if (owner['host'] !== hostname()) return age > LOCK_STALE_MS
  if (!isAlive(owner['pid'])) return true
  const started = typeof owner['started'] === 'string' ? await startOf(owner['pid']) : null
  return started === null ? age > LOCK_KEEP_MS : started !== owner['started']
}

/** Returns the milliseconds since the file's last heartbeat; 0 when there is no file. */
async function ageOf(path: string): Promise<number> {
  const info = await stat(path).catch(() => null)
  return info === null ? 0 : Date.now() - info.mtimeMs
}

async function readOwner(path: string): Promise<JsonObject | null> {
  const text = await readPrivate(path).catch(() => null)
  const owner = text === null ? null : parseJson(text)
  return isJsonObject(owner) ? owner : null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** The start of a process that has ended but was not yet reaped by its parent. */
const ENDED = 'ended'

/**
 * Returns the start time of a process from its /proc file; null on systems without one.
 * @see {@link https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html}
 */
async function startOf(pid: number): Promise<string | null> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The fields from the third on, after the command's name, which may contain any character.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return ENDED
    return `${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()}/${fields[19]}`
  } catch {
    return null
  }
}
