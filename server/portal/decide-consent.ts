import { decideShown } from '../consent'
import { decideConsentEndpoint, type PortalDecision } from '../consent/contract'
import type { WalletCall } from '../core/call'
import { requireSwitchOf } from './perform'

/** The person's answer on the approve page, while approvals are not switched off. */
export async function decideInPortal(call: WalletCall, input: PortalDecision) {
  await requireSwitchOf(decideConsentEndpoint, call)
  return decideShown(call, input)
}
