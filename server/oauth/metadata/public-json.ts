import { isKnownEtag, Reply } from '../../base/contract/reply'
import { sha256Base64url } from '../../base/protocol/encoding'

/** At most as long as a new key is published before it signs. */
const CACHE_SECONDS = 300

/** Public documents: any origin may read them, and caches may keep them. */
export function publicJson(document: unknown, ifNoneMatch: string | undefined): Reply {
  const etag = `"${sha256Base64url(JSON.stringify(document))}"`
  const headers = {
    etag,
    'access-control-allow-origin': '*',
    'cache-control': `public, max-age=${CACHE_SECONDS}`,
  }
  return isKnownEtag(etag, ifNoneMatch) ? Reply.empty(304, headers) : Reply.json(document, headers)
}
