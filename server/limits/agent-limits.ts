import type { InputOf, OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { unknownAgent } from './change-limits'
import type { readAgentLimitsEndpoint, saveAgentLimitsEndpoint } from './contract'
import { presentLimits } from './read-limits'
import { saveByToken } from './save-limits'
import { readAgentLimitsRow } from './store'

/** The limits of one of the caller's agents, or null when none were ever saved. */
export async function readAgentLimits(
  { platform, actor }: WalletCall,
  { client_id: clientId }: InputOf<typeof readAgentLimitsEndpoint>,
): Promise<OutputOf<typeof readAgentLimitsEndpoint>> {
  const limits = await readAgentLimitsRow(platform.db, { principalId: actor.principalId, clientId })
  if (limits === 'unknown') throw unknownAgent()
  return limits === null ? null : presentLimits(limits)
}

/**
 * Replaces the limits of one of the caller's agents as a whole. They hold beside the caller's own, the stricter wins, and
 * every settlement that starts after the answer obeys them. 403 step_up_required as for the caller's own.
 */
export function saveAgentLimits(
  call: WalletCall,
  { client_id: clientId, ...input }: InputOf<typeof saveAgentLimitsEndpoint>,
): Promise<OutputOf<typeof saveAgentLimitsEndpoint>> {
  return saveByToken(call, clientId, input)
}
