import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a file with all its content or not at all, readable by its owner only, and returns false when it exists
 * already. Of several processes exactly one succeeds, and none ever reads a part. The file survives a power loss.
 */
export function createFileOnce(path: string, text: string): boolean {
  const draft = `${path}.${randomUUID()}`
  writeDurably(draft, text)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  } finally {
    unlinkSync(draft)
  }
  flushDirectory(dirname(path))
  return true
}

/** Replaces a file atomically: readers see the old or the new content, also after a power loss. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`
  writeDurably(draft, text)
  renameSync(draft, path)
  flushDirectory(dirname(path))
}

/** Whether an error carries the operating system's `code`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function writeDurably(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function flushDirectory(path: string): void {
  // Windows cannot open directories, and needs no flush to keep their entries.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
