import type { InputOf } from '../../base/contract/endpoint'
import type { ClientCall } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import type { MerchantPolicy, readPolicyEndpoint } from './contract'
import { merchantOf } from './merchant'
import { type RuleSubject, readPolicyRow } from './store'

/** GET /wallet/policy/{merchant_audience}/list: returns the calling tenant's rules about the merchant. */
export async function readPolicy({ platform, actor }: ClientCall, input: InputOf<typeof readPolicyEndpoint>) {
  return renderPolicy(platform.db, {
    tenantId: actor.client.id,
    audience: merchantOf(platform, input.merchant_audience),
  })
}

/** Returns the policy in the form of its three endpoints. */
export async function renderPolicy(db: Queryable, ruled: RuleSubject): Promise<MerchantPolicy> {
  const { updated_at: updatedAt, ...row } = await readPolicyRow(db, ruled)
  return { merchant_audience: ruled.audience, ...row, updated_at: updatedAt?.toISOString() ?? null }
}
