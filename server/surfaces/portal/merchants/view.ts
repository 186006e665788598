import type { RememberedAmount } from '../../../wallet/approvals'
import type { Refusal } from '../../../wallet/enrolments'
import type { MerchantRules } from '../../../wallet/merchant-rules/contract'
import type { ApprovalRule } from '../input'

export interface DirectoryView {
  /** The merchants that were found, all of them verified. */
  readonly merchants: readonly {
    readonly id: string
    readonly merchant_audience: string
    readonly merchant_name: string
    readonly country: string
  }[]
  /** Whether there are more. */
  readonly more: boolean
}

/** A merchant where an agent may pay without asking, up to an amount, because the person approved it there before. */
export type RememberedMerchant = RememberedAmount & {
  readonly merchant_audience: string
  readonly merchant_name: string | null
  readonly agent_client_id: string
  readonly created_at: string
  /**
   * Why the approval has no effect for now: a rule of the person, the merchant's absence from the directory, or another
   * name or default card than at the approval. Null when none applies.
   */
  readonly suspended_by: 'rule' | 'unlisted' | 'changed' | null
}

export type MerchantsView = MerchantRules & {
  /** Whether agents may pay merchants outside the directory on this server. */
  readonly unlisted_merchants: 'refuse' | 'allow'
  /** The number of merchants in the directory. */
  readonly verified_count: number
  readonly approval_rule: ApprovalRule
  /** The remembered approvals, newest first, at most 200. */
  readonly remembered: readonly RememberedMerchant[]
  /** The agents that a rule may name; revoked ones too, since an older rule may name them. */
  readonly agents: readonly { readonly client_id: string; readonly label: string; readonly revoked: boolean }[]
  /** The merchants of the rules that are registered. */
  readonly registered: readonly {
    readonly id: string
    readonly merchant_audience: string
    readonly verified: boolean
  }[]
  /** Merchants without a rule, where an agent may buy without asking unless only listed ones are allowed. */
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
  /** The time since which this holds; null when it was not recorded. */
  readonly since: string | null
  /** The entity of the federation on which the verification depends; null when the operator decides. */
  readonly entity_id: string | null
}
