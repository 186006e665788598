import type * as z from 'zod'
import type { OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { proveStepUp } from '../passkeys'
import type { StepUpProof } from '../passkeys/contract'
import { changeLimits } from './change-limits'
import type { agentLimitsChoice, limitsChoice, saveLimitsEndpoint } from './contract'
import { presentLimits } from './read-limits'
import type { Limits } from './rules'
import { checkedLimits } from './save-limits'
import { limitsToWire } from './wire-limits'

/** What the portal shows after a change of limits. */
export interface SavedInPortal {
  readonly limits: OutputOf<typeof saveLimitsEndpoint> | null
  /** The change that can be taken back with one press; null unless it only lowered. */
  readonly undo: string | null
}

/** Saves the limits over all agents. 403 step_up_required for a raise that is not confirmed. */
export function saveLimitsInPortal(
  call: WalletCall,
  { proof, ...input }: z.output<typeof limitsChoice>,
): Promise<SavedInPortal> {
  return saveConfirmed(call, { clientId: null, after: checkedLimits(input), proof })
}

/** Saves one agent's own limits. 403 step_up_required for a raise that is not confirmed. */
export function saveAgentLimitsInPortal(
  call: WalletCall,
  { proof, client_id: clientId, ...input }: z.output<typeof agentLimitsChoice>,
): Promise<SavedInPortal> {
  return saveConfirmed(call, { clientId, after: checkedLimits(input), proof })
}

interface Wanted {
  readonly clientId: string | null
  readonly after: Limits
  readonly proof: StepUpProof | undefined
}

async function saveConfirmed(call: WalletCall, { clientId, after, proof }: Wanted): Promise<SavedInPortal> {
  const changed = await changeLimits(call, { clientId, kind: 'save', decide: () => after }, () =>
    proveRaise(call, { clientId, after }, proof),
  )
  return {
    limits: changed.limits === null ? null : presentLimits(changed.limits),
    undo: changed.lowered ? changed.changeId : null,
  }
}

/** The person confirms the whole new limits, not what differs: nothing of them can be another than they saw. */
export function proveRaise(
  call: WalletCall,
  { clientId, after }: { readonly clientId: string | null; readonly after: Limits | null },
  proof: StepUpProof | undefined,
) {
  const subject = { client_id: clientId, limits: after === null ? null : { ...limitsToWire(after) } }
  return proveStepUp(call, { purpose: 'limits.raise', subject }, proof)
}
