import type { SandboxMode } from '../../../base/core/sandbox-mode'
import type { ApprovalRule } from '../input'

export interface SessionView {
  readonly principal: {
    readonly id: string
    readonly display_name: string | null
    readonly email: string | null
    readonly approval_rule: ApprovalRule
  }
  /**
   * `available` when the address of this installation allows passkeys; `required` when nothing is approved without one.
   */
  readonly passkeys: { readonly available: boolean; readonly count: number; readonly required: boolean }
  /** The start of the freeze; null while spending is not frozen. */
  readonly frozen_at: string | null
  /** Whether the person has restricted the processing of their data: no agent gets tokens, nothing new is charged. */
  readonly processing_restricted: boolean
  readonly sandbox: SandboxMode
  /** Whether phone messages can be delivered. */
  readonly phone_messages: boolean
  readonly switches: { readonly consent_scan: boolean; readonly settlement: boolean; readonly card_enrolment: boolean }
  readonly base_url: string
}
