import type { WalletCall } from '../../base/core/call'
import { type DaySpend, type MerchantSpend, sumByDay, sumByMerchant } from './spending-store'

const DAY_MS = 86_400_000
export const SPENDING_DAYS = 30
const MERCHANTS_SHOWN = 8

export interface Spending {
  /** The first day that is counted, in UTC; the last one is today. */
  readonly from: Date
  readonly days: readonly DaySpend[]
  readonly merchants: readonly MerchantSpend[]
}

/** What the caller's agents have spent today and on the 29 days before, in UTC; what disputes gave back is left out. */
export async function readSpending({ platform, actor, now }: WalletCall): Promise<Spending> {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const from = new Date(today - (SPENDING_DAYS - 1) * DAY_MS)
  const [days, merchants] = await Promise.all([
    sumByDay(platform.db, actor.principalId, from),
    sumByMerchant(platform.db, actor.principalId, { from, max: MERCHANTS_SHOWN }),
  ])
  return { from, days, merchants }
}
