import type { InputOf, OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { lockPrincipal } from '../principals'
import type { readAgentLimitsEndpoint, saveAgentLimitsEndpoint } from './contract'
import { presentLimits } from './read-limits'
import { checkedLimits } from './save-limits'
import { readAgentLimitsRow, saveAgentLimitsRow } from './store'

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
 * every settlement that starts after the answer obeys them.
 */
export async function saveAgentLimits(
  { platform, actor, now }: WalletCall,
  { client_id: clientId, ...input }: InputOf<typeof saveAgentLimitsEndpoint>,
): Promise<OutputOf<typeof saveAgentLimitsEndpoint>> {
  const limits = checkedLimits(input)
  const agent = { principalId: actor.principalId, clientId }
  const saved = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, agent.principalId)
    return saveAgentLimitsRow(tx, agent, { limits, now })
  })
  if (saved === null) throw unknownAgent()
  return presentLimits(saved)
}

function unknownAgent(): ServiceError {
  return new ServiceError('not_found', 'There is no such agent.')
}
