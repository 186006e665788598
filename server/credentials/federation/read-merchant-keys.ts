import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { readEnrolments } from '../../wallet/enrolments'
import { findEnrolledMerchant, payableAudience } from '../../wallet/merchants'
import type { readMerchantKeysEndpoint } from './contract'

type ReadKeys = typeof readMerchantKeysEndpoint

/** GET /federation/merchant-keys. 404 for a merchant that no entity vouches for. */
export async function readMerchantKeys(
  { platform, now }: AnonymousCall,
  input: InputOf<ReadKeys>,
): Promise<OutputOf<ReadKeys>> {
  const audience = payableAudience(platform.config, input.merchant)
  const merchant = audience === null ? null : await findEnrolledMerchant(platform.db, audience, now)
  if (merchant === null) throw new ServiceError('not_found', 'No entity of the federation vouches for this merchant.')
  const { merchant_audience, federation_entity_id: entityId, is_listed: isListed } = merchant
  const enrolment = (await readEnrolments(platform.db, 'merchant', [entityId])).get(entityId)
  return { merchant_audience, federation_entity_id: entityId, keys: isListed ? [...(enrolment?.keys ?? [])] : [] }
}
