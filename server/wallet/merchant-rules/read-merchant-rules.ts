import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import type { readMerchantRulesEndpoint } from './contract'
import { isOnlyListed, listOwnRules } from './own-rules-store'

/** GET /wallet/merchant-rules: returns the person's rules about merchants for their own agents. */
export async function readMerchantRules({
  platform,
  actor,
}: WalletCall): Promise<OutputOf<typeof readMerchantRulesEndpoint>> {
  const rows = await listOwnRules(platform.db, actor.principalId)
  return {
    only_listed: await isOnlyListed(platform.db, actor.principalId),
    rules: rows.map(({ merchant_name: name, updated_at: updatedAt, ...row }) => ({
      ...row,
      ...(name === null ? {} : { merchant_name: name }),
      updated_at: updatedAt.toISOString(),
    })),
  }
}
