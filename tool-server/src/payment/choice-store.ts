import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../json.js'
import { CHOICE_KEEP_MS } from '../limits.js'
import { type CatalogItem, catalogItem } from '../merchant/wire.js'
import { listNames, sweepLeftovers } from '../state/leftovers.js'
import { type LockWait, takeLock, withoutWait } from '../state/lock.js'
import { readPrivate, writePrivate } from '../state/private-files.js'

const choice = z.object({ item: catalogItem, chosen_at: z.int().nonnegative() })

/** What was chosen for a wish. */
export type Choice = z.infer<typeof choice>

/** How a choice is kept, or made again. */
export interface Choosing {
  readonly wait: LockWait
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Whether the purchase of what was chosen is still under way. */
  readonly isUnderWay: (choice: Choice) => Promise<boolean>
  readonly choose: () => Promise<CatalogItem>
  /** Makes the purchase of a new choice one that is under way. */
  readonly begin: (choice: Choice) => Promise<void>
}

/**
 * What was chosen for a wish, each in a private file named after the wish: prices change, and an identical call must go on
 * with the purchase that the person was asked about.
 */
export class ChoiceStore {
  readonly #directory: string

  constructor(home: string) {
    this.#directory = join(home, 'choices')
  }

  /** The choice whose purchase is under way, else a new one. Identical calls at once get the same; null when too late. */
  async resolve(key: string, { wait, startedAt, isUnderWay, choose, begin }: Choosing): Promise<Choice | null> {
    const lock = await takeLock(this.#lock(key), wait)
    if (lock === null) return null
    try {
      const known = await this.#read(key)
      // The purchase of a choice that was made while this call waited may already have ended.
      if (known !== null && (known.chosen_at >= startedAt || (await isUnderWay(known)))) return known
      const made = { item: await choose(), chosen_at: Date.now() }
      await begin(made)
      if (!(await lock.isHeld())) return null
      await writePrivate(this.#file(key), JSON.stringify(choice.parse(made)))
      return made
    } finally {
      await lock.release()
    }
  }

  /** Removes choices that no purchase can need any more, and what killed processes left. */
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
