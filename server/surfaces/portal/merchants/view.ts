import type { RememberedAmount } from '../../../wallet/approvals'
import type { MerchantRules } from '../../../wallet/merchant-rules/contract'

export interface DirectoryView {
  /** All of them verified. */
  readonly merchants: readonly {
    readonly merchant_audience: string
    readonly merchant_name: string
    readonly country: string
  }[]
  /** There are more than those. */
  readonly more: boolean
}

export type MerchantsView = MerchantRules & {
  /** The person's agents, which a rule may be for; revoked ones because a rule may name them still. */
  readonly agents: readonly { readonly client_id: string; readonly label: string; readonly revoked: boolean }[]
  /** Merchants that an agent may use without asking as long as there is no list: no rule says anything about them. */
  readonly unlisted: readonly (RememberedAmount & {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly agent_client_id: string
  })[]
}
