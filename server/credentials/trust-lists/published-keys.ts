import { LRUCache } from 'lru-cache'
import { OutboundFailure } from '../../base/core/outbound-failure'
import type { Platform } from '../../base/core/platform'
import { ensure, ProtocolError } from '../../base/protocol/errors'
import { parseIssuerMetadata, parsePublishedKeys, pickKey } from '../../base/protocol/issuer-keys'
import type { PublicJwk } from '../../base/protocol/jwk'
import { FOREIGN_ANSWER_MAX_AGE_SECONDS } from '../../base/protocol/lifetimes'
import { isWithin } from './freshness'

/** How often the keys of one issuer are fetched because of a kid that is not among them. */
const REFETCHES_PER_MINUTE = 10
const ISSUERS_CACHED = 500

interface Published {
  readonly keys: readonly PublicJwk[]
  readonly fetchedAt: Date
}

/** The published keys of issuers, and the fetches that are under way. */
interface Cache {
  readonly published: LRUCache<string, Published>
  readonly fetches: Map<string, Promise<readonly PublicJwk[]>>
}

const caches = new WeakMap<Platform, Cache>()

function cacheOf(platform: Platform): Cache {
  const known = caches.get(platform)
  if (known !== undefined) return known
  const cache = { published: new LRUCache<string, Published>({ max: ISSUERS_CACHED }), fetches: new Map() }
  caches.set(platform, cache)
  return cache
}

interface Wanted {
  readonly issuer: string
  readonly header: { readonly alg: string; readonly kid?: string }
  readonly now: Date
}

/**
 * Returns the key of an issuer from its published metadata, which is cached for some minutes. An unknown kid causes one
 * more fetch, since the issuer may have changed its keys.
 */
export async function findPublishedKey(platform: Platform, wanted: Wanted): Promise<PublicJwk | null> {
  const { issuer, header, now } = wanted
  const known = cacheOf(platform).published.get(issuer)
  const isFresh = known !== undefined && isWithin(known.fetchedAt, FOREIGN_ANSWER_MAX_AGE_SECONDS, now)
  if (!isFresh) return pickKey(await fetchOnce(platform, wanted, known), header)
  const key = pickKey(known.keys, header)
  if (key !== null || !(await mayRefetch(platform, issuer))) return key
  return pickKey(await fetchOnce(platform, wanted, known), header)
}

async function mayRefetch({ rateLimits }: Platform, issuer: string): Promise<boolean> {
  const { allowed } = await rateLimits.take(`issuer-keys:${issuer}`, REFETCHES_PER_MINUTE, 60)
  return allowed
}

/** Fetches the keys of an issuer. The cached ones stay until then; callers at the same time share one fetch. */
async function fetchOnce(platform: Platform, { issuer, now }: Wanted, known: Published | undefined) {
  const { published, fetches } = cacheOf(platform)
  const present = published.get(issuer)
  if (present !== undefined && present !== known) return present.keys
  const pending = fetches.get(issuer)
  if (pending !== undefined) return pending
  const fetched = fetchKeys(platform, issuer)
  fetches.set(issuer, fetched)
  try {
    const keys = await fetched
    published.set(issuer, { keys, fetchedAt: now })
    return keys
  } finally {
    fetches.delete(issuer)
  }
}

async function fetchKeys(platform: Platform, issuer: string): Promise<readonly PublicJwk[]> {
  const metadata = parseIssuerMetadata(await fetchJson(platform, metadataUrl(issuer)), issuer)
  if ('keys' in metadata) return metadata.keys
  return parsePublishedKeys(await fetchJson(platform, metadata.jwksUri))
}

/** @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-sd-jwt-vc#section-5.1} */
function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/jwt-vc-issuer${pathname.replace(/\/$/, '')}`
}

async function fetchJson({ outbound }: Platform, url: string): Promise<Buffer> {
  try {
    const { status, body } = await outbound.get(url, { accept: 'application/json' })
    ensure(status === 200, 'malformed', 'The keys of the issuer cannot be fetched')
    return body
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    throw new ProtocolError('malformed', 'The keys of the issuer cannot be fetched')
  }
}
