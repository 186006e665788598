import type { WalletCall } from '../../../base/core/call'
import { listPaidMerchants, listPayingAgents } from '../../../money/payments'
import { findTurningClock } from '../../../wallet/limits'
import type { PartiesView } from './view'

/** Returns the agents and merchants of the person's payments, by which the list can be filtered. */
export async function listParties({ platform: { db }, actor }: WalletCall): Promise<PartiesView> {
  const [agents, merchants, { timeZone }] = await Promise.all([
    listPayingAgents(db, actor.principalId),
    listPaidMerchants(db, actor.principalId),
    findTurningClock(db, actor.principalId),
  ])
  return { agents, merchants, time_zone: timeZone }
}
