import { isKnownEtag, Reply } from '../../base/contract/reply'
import { sha256Base64url } from '../../base/protocol/encoding'

/** The cache lifetime; at most the time for which a new key is published before it signs. */
const CACHE_SECONDS = 300

/** Returns a public document, which any origin may read and caches may store. */
export function publicJson(document: unknown, ifNoneMatch: string | undefined): Reply {
  const etag = `"${sha256Base64url(JSON.stringify(document))}"`
  const headers = {
    etag,
    'access-control-allow-origin': '*',
    'cache-control': `public, max-age=${CACHE_SECONDS}`,
  }
  return isKnownEtag(etag, ifNoneMatch) ? Reply.empty(304, headers) : Reply.json(document, headers)
}
