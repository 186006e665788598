import type { CountersignClient } from '../client/index.js'
import type { SendRequest } from '../http/outbound.js'
import type { PendingPurchase, PendingSlot } from '../state/pending-store.js'
import type { RedirectStore } from '../state/redirect-store.js'
import type { Host } from './host.js'
import type { ApprovalOptions, Order } from './order.js'
import type { PayAnswer } from './pay-result.js'

/** One call that makes a purchase while it holds the purchase's lock. */
export interface PurchaseRun {
  readonly client: CountersignClient
  readonly send: SendRequest
  readonly order: Order
  readonly approvalOptions: ApprovalOptions
  readonly host: Host
  readonly slot: PendingSlot
  readonly redirects: RedirectStore
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/**
 * The result of a step: the next record (null begins again), an answer that ends the purchase, or one that leaves it
 * unchanged for the next call.
 */
export type Step =
  | { readonly next: PendingPurchase | null }
  | { readonly answer: PayAnswer }
  | { readonly pausedAnswer: PayAnswer }
