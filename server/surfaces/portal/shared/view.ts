import type * as z from 'zod'
import type { OutputOf } from '../../../base/contract/endpoint'
import type { TestCardName } from '../../../base/platform/processor/sandbox-cards'
import type { paymentRow } from '../../../money/payments/contract'
import type { saveLimitsEndpoint, WireLimits } from '../../../wallet/limits/contract'

export interface Money {
  readonly currency: string
  readonly amount_minor: number
}

/** A payment as its owner sees it in lists. */
export type PaymentView = z.output<typeof paymentRow> & {
  readonly agent_label: string
  readonly merchant_name: string | null
}

export type SavedLimits = OutputOf<typeof saveLimitsEndpoint>

/** What is used of limits, and when they reset. */
export interface LimitsUsage {
  /** The limits' currency; null when only the number of payments is limited. */
  readonly currency: string | null
  readonly used_today_minor: number
  readonly resets_at: string
  readonly recent_count: number
}

/** The limits of a person who has not changed them yet. */
export interface StartingLimits {
  readonly daily_cap_minor: number
  readonly single_txn_cap_minor: number
  readonly currency: string
}

/** One change of limits; null stands for none at all. */
export interface LimitChangeView {
  readonly id: string
  readonly kind: 'start' | 'save' | 'freeze' | 'restore' | 'undo' | 'connect'
  readonly before: WireLimits | null
  readonly after: WireLimits | null
  /** In the portal, or by an app with a wallet token. */
  readonly via: 'portal' | 'token'
  readonly created_at: string
}

export interface TestCard {
  readonly number: string
  readonly name: TestCardName
}
