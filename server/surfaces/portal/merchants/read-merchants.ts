import type { WalletCall } from '../../../base/core/call'
import { readMerchantRules } from '../../../wallet/merchant-rules'
import { listAgents } from '../../agents'
import { withShownNames } from '../shared/store'
import { listRegistered, listUnlistedMerchants } from './store'
import type { MerchantsView } from './view'

/** The merchants page: the person's rules, the agents that they can be for, and what "only my list" leaves out. */
export async function readMerchantsPage(call: WalletCall): Promise<MerchantsView> {
  const rules = await readMerchantRules.verb(call)
  const { agents } = await listAgents.verb(call)
  const named = await withShownNames(call.platform.db, call.actor.principalId, agents)
  return {
    ...rules,
    agents: named.map(({ client_id, label, revoked }) => ({ client_id, label, revoked })),
    registered: await listRegistered(
      call.platform.db,
      rules.rules.map((rule) => rule.merchant_audience),
      call.now,
    ),
    unlisted: await listUnlistedMerchants(call.platform.db, call.actor.principalId),
  }
}
