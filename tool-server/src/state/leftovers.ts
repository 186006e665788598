import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isLocked, removeOld, removeStaleLock } from './lock.js'
import { hasCode } from './private-files.js'

const TEMPORARY = /^(.+)\.[0-9a-f-]{36}\.tmp$/
const LOCK = /\.lock$/
const GUARD = /\.lock\.takeover$/

/** Returns the name of the lock that is held while a file of a directory is written. */
type LockOf = (name: string) => string

/** A record is written under the lock of its own name. */
const lockOfRecord: LockOf = (name) => name.replace(/\.json$/, '.lock')

/**
 * Removes locks and unfinished files of killed processes from a directory; such files may hold secrets. A file from
 * before its lock was free is abandoned, since its writer would hold the lock.
 */
export async function sweepLeftovers(directory: string, lockOf: LockOf = lockOfRecord): Promise<void> {
  for (const name of await listNames(directory)) {
    const path = join(directory, name)
    const [, written = name] = TEMPORARY.exec(name) ?? []
    const isOfLock = LOCK.test(written) || GUARD.test(written)
    if (LOCK.test(name)) await removeStaleLock(path)
    else if (isOfLock) await removeOld(path)
    else if (written !== name && !(await isLocked(join(directory, lockOf(written))))) await rm(path, { force: true })
  }
}

/** Returns the names in a directory; none when it does not exist. */
export async function listNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
