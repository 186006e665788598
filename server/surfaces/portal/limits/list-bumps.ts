import type { WalletCall } from '../../../base/core/call'
import { listLimitBumps } from '../../../wallet/limits'
import { findMerchantNames } from '../shared/store'
import type { LimitBumpView } from './view'

/** The limit requests that wait for the person, newest first, with the merchants' names. */
export async function listBumps(call: WalletCall): Promise<{ limit_bumps: LimitBumpView[] }> {
  const { limit_bumps: bumps } = await listLimitBumps.verb(call)
  const audiences = bumps.map(({ merchant_audience: audience }) => audience)
  const names = await findMerchantNames(call.platform.db, audiences)
  return {
    limit_bumps: bumps.map((bump) => ({ ...bump, merchant_name: names.get(bump.merchant_audience) ?? null })),
  }
}
