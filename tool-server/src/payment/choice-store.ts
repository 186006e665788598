import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../json.js'
import { CHOICE_KEEP_MS } from '../limits.js'
import { catalogItem } from '../merchant/wire.js'
import { listNames, sweepLeftovers } from '../state/leftovers.js'
import { type LockWait, takeLock, withoutWait } from '../state/lock.js'
import { readPrivate, writePrivate } from '../state/private-files.js'

const choice = z.object({ merchant: z.string().optional(), item: catalogItem, chosen_at: z.int().nonnegative() })

/** The item chosen for a request, when, and the merchant as its catalog spells it, which earlier versions did not keep. */
export type Choice = z.infer<typeof choice>

/** The functions with which a choice is reused or made. */
export interface Choosing {
  readonly wait: LockWait
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Returns whether the purchase of the chosen item is in progress. */
  readonly isUnderWay: (choice: Choice) => Promise<boolean>
  readonly choose: () => Promise<Omit<Choice, 'chosen_at'>>
  /** Starts the purchase of a new choice. */
  readonly begin: (choice: Choice) => Promise<void>
}

/**
 * The items chosen for requests, each in a private file named after the request: prices change, and an identical call
 * must continue with the purchase that the person was asked about.
 */
export class ChoiceStore {
  readonly #directory: string

  constructor(home: string) {
    this.#directory = join(home, 'choices')
  }

  /**
   * Returns the choice whose purchase is in progress, otherwise a new one. Concurrent identical calls get the same;
   * null when the lock was not free in time.
   */
  async resolve(key: string, { wait, startedAt, isUnderWay, choose, begin }: Choosing): Promise<Choice | null> {
    const lock = await takeLock(this.#lock(key), wait)
    if (lock === null) return null
    try {
      const known = await this.#read(key)
      // The purchase of a choice that was made while this call waited may already have ended.
      if (known !== null && (known.chosen_at >= startedAt || (await isUnderWay(known)))) return known
      const made = { ...(await choose()), chosen_at: Date.now() }
      await begin(made)
      if (!(await lock.isHeld())) return null
      await writePrivate(this.#file(key), JSON.stringify(choice.parse(made)))
      return made
    } finally {
      await lock.release()
    }
  }

  /** Removes choices that no purchase can need any more, and files of killed processes. */
  async sweep(now: number): Promise<void> {
    await sweepLeftovers(this.#directory)
    const names = await listNames(this.#directory)
    for (const name of names.filter((each) => /^[0-9a-f]{64}\.json$/.test(each))) {
      const key = name.slice(0, 64)
      if (!(await this.#isOver(key, now))) continue
      const lock = await takeLock(this.#lock(key), withoutWait())
      if (lock === null) continue
      if (await this.#isOver(key, now)) await rm(this.#file(key), { force: true })
      await lock.release()
    }
  }

  async #isOver(key: string, now: number): Promise<boolean> {
    const known = await this.#read(key).catch(() => null)
    return known !== null && known.chosen_at + CHOICE_KEEP_MS <= now
  }

  async #read(key: string): Promise<Choice | null> {
    const text = await readPrivate(this.#file(key))
    return text === null ? null : (choice.safeParse(parseJson(text)).data ?? null)
  }

  #lock(key: string): string {
    return join(this.#directory, `${key}.lock`)
  }

  #file(key: string): string {
    return join(this.#directory, `${key}.json`)
  }
}
