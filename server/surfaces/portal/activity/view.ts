import type * as z from 'zod'
import type { EntryFacts } from '../shared/view'
import type { listActivityProcedure } from './contract'

export type ActivitySearch = z.input<typeof listActivityProcedure.input>

/**
 * What is proven of an entry: `verified` at or below a signed head that vouches for it, `unsigned` above the last one,
 * `broken` where its hash or a link is wrong, `unproven` where the head or the way to it is wrong.
 */
export type EntryState = 'verified' | 'unsigned' | 'broken' | 'unproven'

/** One entry of the tenant's audit chain that is about the person. */
export interface ActivityEntry extends EntryFacts {
  readonly payment: {
    /** Null when no charge was ever begun. */
    readonly payment_intent_id: string | null
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string
    readonly merchant_name: string | null
  } | null
  readonly state: EntryState
  readonly prev_hash: string
  readonly entry_hash: string
  /** The whole entry as it is hashed, readable. */
  readonly json: string
}

/** What was checked, and what came of it. */
export interface ActivityProof {
  /** `unsigned` while the newest entries of the page are above the last signed head. */
  readonly verdict: 'verified' | 'unsigned' | 'broken' | 'nothing'
  /** Entries of this page whose hash was computed again. */
  readonly checked: number
  /** The signed head that is nearest after the newest of them, or else the last one; null before the first. */
  readonly checkpoint: { readonly seq: number; readonly signed_at: string; readonly signature_valid: boolean } | null
  /**
   * The run from the oldest entry shown to that head: `intact` when each hash and link was computed again, `broken` when
   * one of them is wrong, `too_long` for a page, `unsigned` when the newest entries shown have no signed head yet.
   */
  readonly run: 'intact' | 'broken' | 'too_long' | 'unsigned'
}

export interface ActivityView {
  readonly entries: readonly ActivityEntry[]
  /** `before` of the next page; null on the last one. */
  readonly next_before: number | null
  readonly proof: ActivityProof
}
