import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CountersignError } from '../errors.js'
import { STATE_FILE_MAX_BYTES } from '../limits.js'

const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600
const OTHERS = 0o077
/** Whether files have mode bits. Windows has none; there access lists keep a user's data directory private. */
const hasModes = process.platform !== 'win32'

/**
 * Creates a directory that only this user can enter. Throws for one that others may enter, unless it is empty; then its
 * mode is set.
 */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE })
  const { mode } = await stat(path)
  if (!hasModes || (mode & OTHERS) === 0) return
  if ((await readdir(path)).length > 0) throw tooOpen(path, '700')
  await chmod(path, DIRECTORY_MODE)
}

/**
 * Creates the home directory. An existing one may hold other files, so its mode is not changed; only the files inside
 * are private.
 */
export async function ensureHome(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE })
  if (hasModes && (await readdir(path)).length === 0) await chmod(path, DIRECTORY_MODE)
}

/** Reads a private file; returns null when there is none. Throws for a file that others may read, as ssh does. */
export async function readPrivate(path: string): Promise<string | null> {
  const file = await openExisting(path)
  if (file === null) return null
  try {
    const info = await file.stat()
    if (!info.isFile() || info.size > STATE_FILE_MAX_BYTES) throw new CountersignError(`${path} is not a state file`)
    if (hasModes && (info.mode & OTHERS) !== 0) throw tooOpen(path, '600')
    if (process.getuid !== undefined && info.uid !== process.getuid()) {
      throw new CountersignError(`${path} belongs to another user`)
    }
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Replaces a private file atomically: readers see either the old or the new text. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const temporary = await writeTemporary(path, text)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Creates a private file unless it exists; returns whether it did. */
export async function createPrivate(path: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(path, text)
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Returns whether an error of the file system has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function writeTemporary(path: string, text: string): Promise<string> {
  await ensurePrivateDirectory(dirname(path))
  const temporary = `${path}.${randomUUID()}.tmp`
  const file = await open(temporary, 'wx', FILE_MODE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  return temporary
}

async function openExisting(path: string) {
  try {
    // Windows has no O_NOFOLLOW, so links are checked before.
    if (!hasModes && (await lstat(path)).isSymbolicLink()) throw new CountersignError(`${path} is a link`)
    return await open(path, constants.O_RDONLY | (hasModes ? constants.O_NOFOLLOW : 0))
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null
    if (hasCode(error, 'ELOOP')) throw new CountersignError(`${path} is a link`)
    throw error
  }
}

const tooOpen = (path: string, mode: string) =>
  new CountersignError(`${path} is open to other users`, `Run: chmod ${mode} "${path}"`)
