import { randomUUID } from 'node:crypto'
import { readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isJsonObject, type JsonObject, parseJson } from '../json.js'
import { LOCK_HEARTBEAT_MS, LOCK_KEEP_MS, LOCK_RETRY_MS, LOCK_STALE_MS } from '../limits.js'
import { pause } from '../pause.js'
import { createPrivate, ensurePrivateDirectory, hasCode, readPrivate } from './private-files.js'

/** A lock that was taken. */
export interface Lock {
  /** Whether it is still this one: of a process that slept for long, another machine may have taken it over. */
  isHeld(): Promise<boolean>
  /** Gives it back, if it is still this one. */
  release(): Promise<void>
}

/** How long to wait for a lock. */
export interface LockWait {
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** A lock that is taken now or not at all. */
export const withoutWait = (): LockWait => ({ signal: new AbortController().signal, until: 0 })

/**
 * Takes a lock across processes: a file that only one can create. Null when it is still taken at the end of the wait.
 * The file shows signs of life; a lock of a process that is gone is taken over.
 *
 * proper-lockfile cannot keep this: it waits until the lock of a dead process has aged, and several takers can get one
 * stale lock.
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

/** Whether somebody alive holds the lock. */
export async function isLocked(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null)
  return info !== null && !(await isAbandoned(path))
}

/**
 * Creates the file and names what is in it; null when it is taken. It appears with its owner in it: a process that is
 * killed on the way leaves no lock without an owner.
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
 * Removes a lock that belongs to nobody. Two takers must not remove each other's fresh lock, so that one at a time looks
 * and removes.
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

/** Removes a file that is needed for an instant only, and so never shown to be alive. */
export async function removeOld(path: string): Promise<void> {
  if ((await ageOf(path)) > LOCK_STALE_MS) await rm(path, { force: true })
}

/**
 * Whether the lock is there and belongs to nobody who is alive. Its age says nothing about a process of this machine, which
 * may only have slept, unless its number may be that of a later one.
 */
async function isAbandoned(path: string): Promise<boolean> {
  const age = await ageOf(path)
  const text = await readPrivate(path).catch(() => null)
  if (text === null) return age > LOCK_STALE_MS
  const owner = parseJson(text)
  // A lock is there as a whole or not at all, so that one without an owner was left by a crash of the machine.
  if (!isJsonObject(owner) || typeof owner['pid'] !== 'number') return true
  if (owner['host'] !== hostname()) return age > LOCK_STALE_MS
  if (!isAlive(owner['pid'])) return true
  const started = typeof owner['started'] === 'string' ? await startOf(owner['pid']) : null
  return started === null ? age > LOCK_KEEP_MS : started !== owner['started']
}

/** How long ago the file was last shown to be alive; 0 when there is none. */
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

/** For a process that has ended, but whose parent has not asked how. */
const ENDED = 'ended'

/** When a process started, where the system says it in a file; null elsewhere. @see {@link https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html} */
async function startOf(pid: number): Promise<string | null> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    // Behind the name of the command, which may hold anything: the fields from the third on.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return ENDED
    return `${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()}/${fields[19]}`
  } catch {
    return null
  }
}
