import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { CountersignError } from '../errors.js'
import { parseJson } from '../json.js'
import { payResult } from '../payment/pay-result.js'
import { isLocked, type LockWait, takeLock } from './lock.js'
import { hasCode, readPrivate, writePrivate } from './private-files.js'

const epochMs = z.int().nonnegative()
const opaqueObject = z.record(z.string(), z.unknown())

/** Tokens of an approved purchase. */
const grant = z.strictObject({
  mandate_jwt: z.string(),
  mandate_id: z.string().optional(),
  mandate_audience: z.string(),
  mandate_expires_at: epochMs,
  access_token: z.string(),
  access_expires_at: epochMs,
  refresh_token: z.string().optional(),
})

/** Tokens of an approved purchase. */
export type Grant = z.infer<typeof grant>

const settlementRequest = z.strictObject({
  connected_account_id: z.string().optional(),
  application_fee_minor: z.int().nonnegative().optional(),
})

const pendingPurchase = z.discriminatedUnion('stage', [
  z.strictObject({
    stage: z.literal('consent'),
    request_uri: z.string(),
    code_verifier: z.string(),
    state: z.string(),
    needs_person: z.boolean(),
    idempotency_key: z.string(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('approved'),
    /** What was approved; records of earlier versions do not say. */
    request_uri: z.string().optional(),
    grant,
    idempotency_key: z.string(),
    /** Set before the merchant may charge: from then on the outcome is unknown until somebody says it. */
    attempted: z.boolean(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('ordered'),
    request_uri: z.string().optional(),
    grant,
    idempotency_key: z.string(),
    order_id: z.string(),
    receipt: opaqueObject,
    settlement_request: settlementRequest,
    /** Set before the settlement is asked for. */
    attempted: z.boolean(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('settled'),
    order_id: z.string(),
    receipt: opaqueObject,
    settlement: opaqueObject,
    receipt_jws: z.string(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('done'),
    result: payResult,
    note: z.string().optional(),
    finished_at: epochMs,
    /** Whether the host was still there to take the answer. */
    delivered: z.boolean(),
    expires_at: epochMs,
  }),
])

/** A purchase under way, at the last step that is certain. */
export type PendingPurchase = z.infer<typeof pendingPurchase>
/** A purchase at one of its steps. */
export type PendingAt<Stage extends PendingPurchase['stage']> = Extract<PendingPurchase, { stage: Stage }>

/** The one file of one purchase, while its lock is held. */
export interface PendingSlot {
  read(): Promise<PendingPurchase | null>
  write(purchase: PendingPurchase): Promise<void>
  remove(): Promise<void>
  release(): Promise<void>
}

/** Purchases under way, each in a private file named after what is bought, so that an identical call resumes it. */
export class PendingStore {
  readonly #directory: string

  constructor(home: string) {
    this.#directory = join(home, 'pending')
  }

  /** Takes the purchase for this call alone; null when another call still has it at the end of the wait. */
  async take(key: string, wait: LockWait): Promise<PendingSlot | null> {
    const release = await takeLock(this.#lock(key), wait)
    if (release === null) return null
    return {
      read: () => this.peek(key),
      write: (purchase) => writePrivate(this.#file(key), JSON.stringify(pendingPurchase.parse(purchase))),
      remove: () => rm(this.#file(key), { force: true }),
      release,
    }
  }

  /** The purchase as it stands, or null. */
  async peek(key: string): Promise<PendingPurchase | null> {
    const text = await readPrivate(this.#file(key))
    if (text === null) return null
    const parsed = pendingPurchase.safeParse(parseJson(text))
    if (!parsed.success) {
      throw new CountersignError('the stored state of this purchase is damaged', `Look at ${this.#file(key)}.`)
    }
    return parsed.data
  }

  /** Removes what has ended and nobody holds. */
  async sweep(now: number): Promise<void> {
    const keys = (await this.#names())
      .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
      .map((name) => name.slice(0, 64))
    for (const key of keys) {
      if (await isLocked(this.#lock(key))) continue
      const purchase = await this.peek(key).catch(() => null)
      if (purchase !== null && purchase.expires_at <= now) await rm(this.#file(key), { force: true })
    }
  }

  #file(key: string): string {
    return join(this.#directory, `${key}.json`)
  }

  #lock(key: string): string {
    return join(this.#directory, `${key}.lock`)
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#directory)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return []
      throw error
    }
  }
}
