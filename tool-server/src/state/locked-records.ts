import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod'
import { CountersignError } from '../errors.js'
import { parseJson } from '../json.js'
import { listNames, sweepLeftovers } from './leftovers.js'
import { type Lock, type LockWait, takeLock, withoutWait } from './lock.js'
import { readPrivate, writePrivate } from './private-files.js'

/**
 * The file of one record, while its lock is held. Once another call has taken the lock over, `write` and `remove` throw
 * and change nothing.
 */
export interface RecordSlot<T> {
  read(): Promise<T | null>
  write(record: T): Promise<void>
  remove(): Promise<void>
  release(): Promise<void>
}

/** The directory, schema and name of a kind of records. */
interface RecordOptions<T> {
  readonly directory: string
  readonly schema: z.ZodType<T>
  /** The name of a record in error messages. */
  readonly what: string
}

/** Records that expire, each in a private file named by a SHA-256 in hex, which one call at a time may change. */
export class LockedRecords<T extends { readonly expires_at: number }> {
  readonly #options: RecordOptions<T>

  constructor(options: RecordOptions<T>) {
    this.#options = options
  }

  /** Locks the record for this call; returns null when another call still holds it at the end of the wait. */
  async take(key: string, wait: LockWait): Promise<RecordSlot<T> | null> {
    const lock = await takeLock(this.#lock(key), wait)
    if (lock === null) return null
    return {
      read: () => this.peek(key),
      write: async (record) => {
        await this.#requireHeld(lock)
        await writePrivate(this.#file(key), JSON.stringify(this.#options.schema.parse(record)))
      },
      remove: async () => {
        await this.#requireHeld(lock)
        await rm(this.#file(key), { force: true })
      },
      release: lock.release,
    }
  }

  /** Returns the present record without a lock, or null. */
  async peek(key: string): Promise<T | null> {
    const text = await readPrivate(this.#file(key))
    if (text === null) return null
    const parsed = this.#options.schema.safeParse(parseJson(text))
    if (!parsed.success) {
      throw new CountersignError(
        `the stored state of this ${this.#options.what} is damaged`,
        `Look at ${this.#file(key)}.`,
      )
    }
    return parsed.data
  }

  /** Removes expired records that are not locked, and files of killed processes. */
  async sweep(now: number): Promise<void> {
    await sweepLeftovers(this.#options.directory)
    const keys = (await listNames(this.#options.directory))
      .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
      .map((name) => name.slice(0, 64))
    for (const key of keys) {
      if (!(await this.#hasEnded(key, now))) continue
      const slot = await this.take(key, withoutWait())
      if (slot === null) continue
      try {
        if (await this.#hasEnded(key, now)) await slot.remove()
      } finally {
        await slot.release()
      }
    }
  }

  async #hasEnded(key: string, now: number): Promise<boolean> {
    const record = await this.peek(key).catch(() => null)
    return record !== null && record.expires_at <= now
  }

  async #requireHeld(lock: Lock): Promise<void> {
    if (await lock.isHeld()) return
    throw new CountersignError(
      `another call has taken over this ${this.#options.what}`,
      'Call this tool again with the same arguments: it goes on where the other call is.',
    )
  }

  #file(key: string): string {
    return join(this.#options.directory, `${key}.json`)
  }

  #lock(key: string): string {
    return join(this.#options.directory, `${key}.lock`)
  }
}
