import type { WalletCall } from '../../../base/core/call'
import { listLimitBumps } from '../../../wallet/limits'
import { checkMerchant } from '../shared/check-merchant'
import { findAgentNames } from '../shared/store'
import type { LimitBumpView } from './view'

/**
 * Returns the pending limit requests that belong to no approval, newest first, with the names of agents and what
 * is known of their merchants.
 */
export async function listBumps(call: WalletCall): Promise<{ limit_bumps: LimitBumpView[] }> {
  const { limit_bumps: bumps } = await listLimitBumps.verb(call)
  if (bumps.length === 0) return { limit_bumps: [] }
  const { platform, actor, now } = call
  const { principalId } = actor
  const labels = await findAgentNames(platform.db, principalId)
  return {
    limit_bumps: await Promise.all(
      bumps.map(async (bump) => ({
        ...bump,
        ...(await checkMerchant(platform.db, { audience: bump.merchant_audience, principalId, now })),
        agent_label: labels.get(bump.agent_client_id) ?? '',
      })),
    ),
  }
}
