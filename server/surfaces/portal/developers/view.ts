import type { RequestRecord } from '../../../shared/request-log/contract'
import type { TestCard } from '../shared/view'

/** The effect of charging a test amount or a test card. */
type TrialBehaviour =
  | 'succeeds'
  | 'generic_decline'
  | 'insufficient_funds'
  | 'needs_authentication'
  | 'answers_late'
  | 'is_disputed'
  | 'tells_first'
  | 'tells_twice'
  | 'stumbles'

export interface DevelopersView {
  readonly base_url: string
  readonly issuer: string
  readonly endpoints: readonly {
    readonly name: 'metadata' | 'jwks' | 'openapi' | 'docs' | 'errors'
    readonly url: string
  }[]
  /** The test data; null outside of the sandbox. */
  readonly sandbox: {
    readonly merchants: readonly {
      readonly name: string
      readonly audience: string
      readonly catalog_url: string
      readonly currencies: readonly string[]
    }[]
    readonly amounts: readonly { readonly amount_minor: number; readonly behaviour: TrialBehaviour }[]
    readonly cards: readonly TestCard[]
    readonly outbox_url: string
  } | null
}

export interface RequestLogView {
  /** Whether requests are recorded, as only the sandbox does. */
  readonly kept: boolean
  /** The newest first. */
  readonly requests: readonly (RequestRecord & { readonly agent_label: string | null })[]
}
