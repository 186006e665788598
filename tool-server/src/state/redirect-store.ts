import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { LOCK_HANDOVER_MS } from '../limits.js'
import type { LockWait } from './lock.js'
import { LockedRecords } from './locked-records.js'

const redirectRecord = z.strictObject({
  /** The redirect's address, once another process has received it. */
  location: z.string().optional(),
  expires_at: z.int().nonnegative(),
})

type RedirectRecord = z.infer<typeof redirectRecord>

/**
 * Redirects that processes of this home wait for, by state. One process listens at the address and receives all of
 * them; it passes those of other processes on through this store.
 */
export class RedirectStore extends LockedRecords<RedirectRecord> {
  constructor(home: string) {
    super({ directory: join(home, 'redirects'), schema: redirectRecord, what: 'redirect' })
  }

  /** Records that this process waits for the state. */
  async expect(state: string, until: number): Promise<void> {
    await this.sweep(Date.now())
    await this.#change(state, () => ({ expires_at: until }))
  }

  /** Passes the redirect on; returns false when no process waits for its state. */
  async hand(state: string, location: string): Promise<boolean> {
    let isExpected = false
    await this.#change(state, (record) => {
      isExpected = record !== null
      return record === null ? null : { ...record, location }
    })
    return isExpected
  }

  /** Returns the redirect that was passed on for the state; undefined while there is none. */
  async handed(state: string): Promise<string | undefined> {
    return (await this.peek(keyOf(state)))?.location
  }

  /** Removes the record of a state that is no longer waited for. */
  forget(state: string): Promise<void> {
    return this.#change(state, () => null)
  }

  async #change(state: string, change: (record: RedirectRecord | null) => RedirectRecord | null): Promise<void> {
    const wait: LockWait = { signal: new AbortController().signal, until: Date.now() + LOCK_HANDOVER_MS }
    const slot = await this.take(keyOf(state), wait)
    if (slot === null) return
    try {
      const changed = change(await slot.read())
      await (changed === null ? slot.remove() : slot.write(changed))
    } finally {
      await slot.release()
    }
  }
}

const keyOf = (state: string): string => createHash('sha256').update(state).digest('hex')
