import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { signCatalog } from './catalog'
import type { readCatalogEndpoint, readMerchantJwksEndpoint } from './contract'
import { readMerchantPublicJwk } from './merchant-keys'
import { requireMerchant } from './merchants'

/** Intermediaries must not recode the body, whose bytes the digest covers (RFC 9530 section 6.5). */
const CACHING = 'public, max-age=60, no-transform'

/** Returns the complete catalog, with its signature in the header fields. */
export async function readCatalog(
  { platform, now }: AnonymousCall,
  input: InputOf<typeof readCatalogEndpoint>,
): Promise<Reply> {
  const { body, signature } = await signCatalog(platform, requireMerchant(input.merchant_id), now)
  return Reply.renderedJson(body, { headers: { ...signature, 'cache-control': CACHING } })
}

/** Returns the keys that verify the catalog. */
export async function readMerchantJwks(
  { platform }: AnonymousCall,
  input: InputOf<typeof readMerchantJwksEndpoint>,
): Promise<Reply> {
  const { id } = requireMerchant(input.merchant_id)
  return Reply.json({ keys: [await readMerchantPublicJwk(platform, id)] }, { 'cache-control': CACHING })
}
