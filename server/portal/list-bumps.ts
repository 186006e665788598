import type { WalletCall } from '../core/call'
import { listLimitBumps } from '../limits'
import { findMerchantNames } from './activity-store'
import type { LimitBumpView } from './limits-view'
import { perform } from './perform'

/** The limit requests that wait for the person, newest first, with the merchants' names. */
export async function listBumps(call: WalletCall): Promise<{ limit_bumps: LimitBumpView[] }> {
  const { limit_bumps: bumps } = await perform(listLimitBumps, call)
  const audiences = bumps.map(({ merchant_audience: audience }) => audience)
  const names = await findMerchantNames(call.platform.db, audiences)
  return {
    limit_bumps: bumps.map((bump) => ({ ...bump, merchant_name: names.get(bump.merchant_audience) ?? null })),
  }
}
