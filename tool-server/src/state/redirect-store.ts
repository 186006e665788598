import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { LOCK_HANDOVER_MS } from '../limits.js'
import type { LockWait } from './lock.js'
import { LockedRecords } from './locked-records.js'

const redirectRecord = z.strictObject({
  /** Where the browser was sent, once another process has got it. */
  location: z.string().optional(),
  expires_at: z.int().nonnegative(),
})

type RedirectRecord = z.infer<typeof redirectRecord>

/**
 * Redirects that processes of this home wait for, by state. One of them has the address and so gets them all; what another
 * one waits for it hands on here.
 */
export class RedirectStore extends LockedRecords<RedirectRecord> {
  constructor(home: string) {
    super({ directory: join(home, 'redirects'), schema: redirectRecord, what: 'redirect' })
  }

  /** Says that this process waits for the state. */
  async expect(state: string, until: number): Promise<void> {
    await this.sweep(Date.now())
    await this.#change(state, () => ({ expires_at: until }))
  }

  /** Hands the redirect on; false when nobody waits for its state. */
  async hand(state: string, location: string): Promise<boolean> {
    let isExpected = false
    await this.#change(state, (record) => {
      isExpected = record !== null
      return record === null ? null : { ...record, location }
    })
    return isExpected
  }

  /** What was handed on for the state. */
  async handed(state: string): Promise<string | undefined> {
    return (await this.peek(keyOf(state)))?.location
  }

  /** Nobody waits for the state any more. */
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
