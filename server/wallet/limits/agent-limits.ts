import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { readLimitsOf } from './change-limits'
import type { readAgentLimitsEndpoint } from './contract'
import { renderAgentLimits } from './read-limits'

/** Returns the limits of one of the caller's agents, or null when none were ever saved. */
export async function readAgentLimits(
  { platform, actor }: WalletCall,
  { client_id: clientId }: InputOf<typeof readAgentLimitsEndpoint>,
): Promise<OutputOf<typeof readAgentLimitsEndpoint>> {
  const limits = await readLimitsOf(platform.db, { principalId: actor.principalId, clientId })
  return limits === null ? null : renderAgentLimits(limits)
}
