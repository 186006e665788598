import type { InputOf, OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import type { saveMerchantGateEndpoint } from './contract'
import { saveOnlyListed } from './own-rules-store'

type Save = typeof saveMerchantGateEndpoint

/** POST /wallet/merchant-rules/gate: whether only merchants that the person allowed may ask. */
export async function saveMerchantGate({ platform, actor }: WalletCall, input: InputOf<Save>): Promise<OutputOf<Save>> {
  await saveOnlyListed(platform.db, actor.principalId, input.only_listed)
  await platform.cache.publish(`principal:${actor.principalId}`)
  return input
}
