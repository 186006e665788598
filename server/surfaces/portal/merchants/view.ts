import type { RememberedAmount } from '../../../wallet/approvals'
import type { Refusal } from '../../../wallet/enrolments'
import type { MerchantRules } from '../../../wallet/merchant-rules/contract'
import type { ApprovalRule } from '../input'

export interface DirectoryView {
  /** All of them verified. */
  readonly merchants: readonly {
    readonly id: string
    readonly merchant_audience: string
    readonly merchant_name: string
    readonly country: string
  }[]
  /** There are more than those. */
  readonly more: boolean
}

/** A merchant where an agent may pay without asking, up to an amount, because the person approved it there before. */
export type RememberedMerchant = RememberedAmount & {
  readonly merchant_audience: string
  readonly merchant_name: string | null
  readonly agent_client_id: string
  readonly created_at: string
  /**
   * Why the agent has to ask, or cannot, all the same: a rule of the person, its absence from the directory, or another
   * name or default card than at the approval. Null while nothing does.
   */
  readonly suspended_by: 'rule' | 'unlisted' | 'changed' | null
}

export type MerchantsView = MerchantRules & {
  /** Whether merchants outside the directory may ask on this server. */
  readonly unlisted_merchants: 'refuse' | 'allow'
  /** Merchants of the directory. */
  readonly verified_count: number
  readonly approval_rule: ApprovalRule
  /** The newest approval first, at most 200. */
  readonly remembered: readonly RememberedMerchant[]
  /** The person's agents, which a rule may be for; revoked ones because a rule may name them still. */
  readonly agents: readonly { readonly client_id: string; readonly label: string; readonly revoked: boolean }[]
  /** The merchants of the rules that are registered. */
  readonly registered: readonly {
    readonly id: string
    readonly merchant_audience: string
    readonly verified: boolean
  }[]
  /** Merchants that an agent may use without asking as long as there is no list: no rule says anything about them. */
  readonly unlisted: readonly (RememberedAmount & {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly agent_client_id: string
  })[]
}

/** One registered merchant, and whether it is verified. */
export interface MerchantView {
  readonly id: string
  readonly merchant_audience: string
  readonly merchant_name: string
  readonly country: string
  readonly verification: MerchantVerification
}

export interface MerchantVerification {
  /** Why the merchant is not verified; null while it is. */
  readonly refusal: Refusal | 'pending' | 'suspended' | null
  /** Since when that is so; null where nobody wrote it down. */
  readonly since: string | null
  /** The entity of the federation that it depends on; null where the operator decides itself. */
  readonly entity_id: string | null
}
