import type * as z from 'zod'
import type { EntryFacts } from '../shared/view'
import type { listActivityProcedure } from './contract'

export type ActivitySearch = z.input<typeof listActivityProcedure.input>

/**
 * How far an entry is proven: `verified` at or below a valid signed head, `unsigned` above the last one, `broken` when
 * its hash or a link is wrong, `unproven` when the head or the chain up to it is wrong.
 */
export type EntryState = 'verified' | 'unsigned' | 'broken' | 'unproven'

/** One entry of the tenant's audit chain that is about the person. */
export interface ActivityEntry extends EntryFacts {
  readonly payment: {
    /** The payment intent; null when no charge was begun. */
    readonly payment_intent_id: string | null
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string
    readonly merchant_name: string | null
  } | null
  readonly state: EntryState
  readonly prev_hash: string
  readonly entry_hash: string
  /** The whole entry as readable JSON, with the content that is hashed. */
  readonly json: string
}

/** The result of verifying the entries of a page. */
export interface ActivityProof {
  /** `unsigned` while the newest entries of the page are above the last signed head. */
  readonly verdict: 'verified' | 'unsigned' | 'broken' | 'nothing'
  /** Entries of this page whose hash was computed again. */
  readonly checked: number
  /** The first signed head at or after the newest of these entries, otherwise the last one; null before the first. */
  readonly checkpoint: { readonly seq: number; readonly signed_at: string; readonly signature_valid: boolean } | null
  /**
   * The part of the chain from the oldest entry shown to that head: `intact` when each hash and link was computed again
   * and is right, `broken` when one is wrong, `too_long` to be checked for a page, `unsigned` when the newest entries
   * shown have no signed head yet.
   */
  readonly run: 'intact' | 'broken' | 'too_long' | 'unsigned'
}

export interface ActivityView {
  readonly entries: readonly ActivityEntry[]
  /** `before` of the next page; null on the last one. */
  readonly next_before: number | null
  readonly proof: ActivityProof
}
