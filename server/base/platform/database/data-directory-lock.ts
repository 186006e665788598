import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createFileOnce, hasErrorCode } from '../files'
import { StartFailure } from '../start-failure'

/** The process that holds a data directory. The other parts tell it from a later process with the same pid. */
interface Holder {
  readonly pid: number
  readonly started: string | null
  /** The process table that the pid belongs to: another container's pids say nothing here. */
  readonly processTable: string
  readonly nonce: string
}

/**
 * Makes this process the only one that uses `dataDir`; two on one embedded database lose commits silently. The lock of
 * a process that has ended is replaced, that of a running or unknown one never. Returns the function that unlocks.
 *
 * proper-lockfile is not used because it relies on the age of the lock: a killed server would block the next one, a
 * suspended one would lose its lock, and several processes could take over one stale lock.
 * @see {@link https://github.com/moxystudio/node-proper-lockfile/issues/121}
 */
export function lockDataDirectory(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(resolve(dataDir), 'lock')
  const own = describeSelf()
  if (!createFileOnce(path, own.text)) {
    removeDead(path)
    if (!createFileOnce(path, own.text)) refuse(path, readHolder(path))
  }
  return () => {
    if (readHolder(path)?.nonce === own.holder.nonce) unlinkSync(path)
  }
}

/**
 * Removes the lock of a dead process. Checking and removing are two steps, so they happen under a second lock: else of
 * two processes that start together the slower could remove the lock that the faster has just taken.
 */
function removeDead(path: string): void {
  const reaping = `${path}.reaping`
  const own = describeSelf()
  if (!createFileOnce(reaping, own.text)) {
    const reaper = readHolder(reaping)
    if (reaper && isAlive(reaper)) return
    unlinkSync(reaping)
    if (!createFileOnce(reaping, own.text)) return
  }
  try {
    const holder = readHolder(path)
    if (holder && isAlive(holder)) refuse(path, holder)
    if (holder) unlinkSync(path)
  } finally {
    unlinkSync(reaping)
  }
}

function describeSelf(): { readonly holder: Holder; readonly text: string } {
  const holder = { pid: process.pid, started: startOf(process.pid), processTable: processTable(), nonce: randomUUID() }
  return { holder, text: `${JSON.stringify(holder)}\n` }
}

function refuse(path: string, holder: Holder | null): never {
  if (!holder) throw new StartFailure(`Another process is starting on this data directory (${path}). Try again.`)
  const elsewhere = holder.processTable !== processTable()
  const advice = elsewhere
    ? `It runs on another host or in another container. If it has ended, delete ${path}.`
    : 'Stop it first, or give this one its own DATA_DIR or a DATABASE_URL.'
  throw new StartFailure(`The data directory is in use by process ${holder.pid} (${path}). ${advice}`)
}

function readHolder(path: string): Holder | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
  const holder = parseHolder(text)
  if (!holder)
    throw new StartFailure(`${path} is not a lock that this program wrote. Delete it if no process uses the directory.`)
  return holder
}

function parseHolder(text: string): Holder | null {
  try {
    const value = JSON.parse(text) as Partial<Holder>
    const complete = Number.isSafeInteger(value.pid) && typeof value.nonce === 'string'
    return complete ? (value as Holder) : null
  } catch {
    return null
  }
}

function isAlive(holder: Holder): boolean {
  if (holder.processTable !== processTable()) return true
  if (!exists(holder.pid)) return false
  const started = startOf(holder.pid)
  return started !== ENDED && (holder.started === null || holder.started === started)
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH')
  }
}

/** The start of a process that has ended but still has its pid, because its parent has not collected its status. */
const ENDED = 'ended'

/** Returns the start time of a process in the system's own form; null when it is unknown. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields from 3 on, after the command name, whose parentheses may contain any characters.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return ENDED
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`
  } catch {
    return startFromPs(pid)
  }
}

function startFromPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim() || null
  } catch {
    return null
  }
}

function processTable(): string {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}
