import { listAgents } from '../agents'
import type { WalletCall } from '../core/call'
import { readMerchantRules } from '../policy'
import type { MerchantsView } from './contract'
import { perform } from './perform'
import { listUnlistedMerchants } from './store'

/** The merchants page: the person's rules, whom they can be for, and what "only my list" leaves out. */
export async function readMerchantsPage(call: WalletCall): Promise<MerchantsView> {
  const rules = await perform(readMerchantRules, call)
  const { agents } = await perform(listAgents, call)
  return {
    ...rules,
    agents: agents.map(({ client_id, label, revoked }) => ({ client_id, label, revoked })),
    unlisted: await listUnlistedMerchants(call.platform.db, call.actor.principalId),
  }
}
