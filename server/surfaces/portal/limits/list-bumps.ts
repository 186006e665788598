import type { WalletCall } from '../../../base/core/call'
import { listLimitBumps } from '../../../wallet/limits'
import { findAgentNames, findMerchantNames } from '../shared/store'
import type { LimitBumpView } from './view'

/**
 * Returns the pending limit requests that belong to no approval, newest first, with the names of merchants and agents.
 */
export async function listBumps(call: WalletCall): Promise<{ limit_bumps: LimitBumpView[] }> {
  const { limit_bumps: bumps } = await listLimitBumps.verb(call)
  if (bumps.length === 0) return { limit_bumps: [] }
  const audiences = bumps.map(({ merchant_audience: audience }) => audience)
  const { platform, actor } = call
  const names = await findMerchantNames(platform.db, audiences)
  const labels = await findAgentNames(platform.db, actor.principalId)
  return {
    limit_bumps: bumps.map((bump) => ({
      ...bump,
      merchant_name: names.get(bump.merchant_audience) ?? null,
      agent_label: labels.get(bump.agent_client_id) ?? '',
    })),
  }
}
