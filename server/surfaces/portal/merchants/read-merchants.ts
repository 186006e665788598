import type { WalletCall } from '../../../base/core/call'
import { readMerchantRules } from '../../../wallet/merchant-rules'
import { listAgents } from '../../agents'
import { listUnlistedMerchants } from './store'
import type { MerchantsView } from './view'

/** The merchants page: the person's rules, the agents that they can be for, and what "only my list" leaves out. */
export async function readMerchantsPage(call: WalletCall): Promise<MerchantsView> {
  const rules = await readMerchantRules.verb(call)
  const { agents } = await listAgents.verb(call)
  return {
    ...rules,
    agents: agents.map(({ client_id, label, revoked }) => ({ client_id, label, revoked })),
    unlisted: await listUnlistedMerchants(call.platform.db, call.actor.principalId),
  }
}
