import type { WalletCall } from '../../../base/core/call'
import type { Config } from '../../../base/core/platform'
import { requirePrincipal } from '../../../shared/principals'
import { readMerchantRules } from '../../../wallet/merchant-rules'
import { listAgents } from '../../agents'
import { withShownNames } from '../shared/store'
import {
  countListedMerchants,
  listRegistered,
  listRememberedPurchases,
  listUnlistedMerchants,
  type RememberedRow,
} from './store'
import type { MerchantsView, RememberedMerchant } from './view'

/**
 * Returns the merchants page: which merchants may be paid, and which without an approval, the person's rules, and the
 * merchants that "only my list" would exclude.
 */
export async function readMerchantsPage(call: WalletCall): Promise<MerchantsView> {
  const { platform, actor, now } = call
  const { unlistedMerchants } = platform.config
  const rules = await readMerchantRules.verb(call)
  const { agents } = await listAgents.verb(call)
  const named = await withShownNames(platform.db, actor.principalId, agents)
  const { approval_rule } = await requirePrincipal(platform.db, actor.principalId)
  const remembered = await listRememberedPurchases(platform.db, actor.principalId, now)
  return {
    ...rules,
    unlisted_merchants: unlistedMerchants,
    verified_count: await countListedMerchants(platform.db, now),
    approval_rule,
    remembered: remembered.map((row) => renderRemembered(row, unlistedMerchants)),
    agents: named.map(({ client_id, label, revoked }) => ({ client_id, label, revoked })),
    registered: await listRegistered(
      platform.db,
      rules.rules.map((rule) => rule.merchant_audience),
      now,
    ),
    unlisted: await listUnlistedMerchants(platform.db, actor.principalId),
  }
}

function renderRemembered(
  { denied, listed, lapsed, unchanged, created_at: createdAt, ...row }: RememberedRow,
  unlistedMerchants: Config['unlistedMerchants'],
): RememberedMerchant {
  const mayAsk = listed || (unlistedMerchants === 'allow' && !lapsed)
  const suspended = denied ? 'rule' : !mayAsk ? 'unlisted' : unchanged ? null : 'changed'
  return { ...row, created_at: createdAt.toISOString(), suspended_by: suspended }
}
