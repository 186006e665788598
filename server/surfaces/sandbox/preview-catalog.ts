import type { InputOf } from '../../base/contract/endpoint'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { isVerifiedMerchant } from '../../wallet/merchants'
import { signCatalog } from './catalog'
import { sandboxMerchants } from './catalog-data'
import type { previewCatalogEndpoint } from './contract'

const PREVIEW_ITEMS = 20

/**
 * Returns the first page of a merchant's catalog with the signature of the complete one. Buyers verify that signature
 * on the bytes of the catalog itself.
 * @throws 404 not_found for merchants that are unknown, not listed as active or without a catalog here
 */
export async function previewCatalog(
  { platform, now }: AnonymousCall,
  { merchant_id }: InputOf<typeof previewCatalogEndpoint>,
) {
  const merchant = sandboxMerchants.find(({ id }) => id === merchant_id)
  if (merchant === undefined || !(await isVerifiedMerchant(platform.db, merchant_id, now))) {
    throw new ServiceError('not_found', 'There is no catalog of such a merchant.')
  }
  const { catalog, signature } = await signCatalog(platform, merchant, now)
  const { items, ...head } = catalog
  return {
    ...head,
    signature: signature.signature,
    signature_input: signature['signature-input'],
    content_digest: signature['content-digest'],
    items: items.slice(0, PREVIEW_ITEMS),
  }
}
