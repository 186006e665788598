import type { EndpointShape, Quota } from '../contract/endpoint'
import type { Actor } from '../core/call'
import { ServiceError } from '../core/errors'
import type { Platform } from '../core/platform'

const MINUTE_SECONDS = 60

interface Asking {
  readonly endpoint: EndpointShape
  readonly platform: Platform
  /** Who is counted; null counts nobody. */
  readonly owner: string | null
}

/** Whose quota a request takes from: the client's, the person's, or for anonymous callers that of their address. */
export function quotaOwner(actor: Actor, address: string | null): string | null {
  switch (actor.kind) {
    case 'client':
      return `client:${actor.client.id}`
    case 'agent':
      return `client:${actor.clientId}`
    case 'wallet':
      return `principal:${actor.principalId}`
    case 'anonymous':
      return address === null ? null : `address:${address}`
    case 'operator':
      return null
  }
}

/**
 * Takes one from the caller's quota, or refuses with 429 and `Retry-After`. An endpoint's own quota is counted for it
 * alone; callers that are known share one quota over all other endpoints.
 */
export async function requireQuota({ endpoint, platform, owner }: Asking): Promise<void> {
  if (owner === null) return
  const quota = endpoint.quota ?? sharedQuota(endpoint, platform)
  if (quota === null) return
  const name = endpoint.quota === undefined ? 'requests' : endpoint.operationId
  // Installations may share a store.
  const key = `${platform.config.baseUrl} ${name} ${owner}`
  const { allowed, retryAfterSeconds } = await platform.rateLimits.take(key, quota.limit, quota.windowSeconds)
  if (allowed) return
  throw new ServiceError('rate_limited', `At most ${quota.limit} requests in ${quota.windowSeconds} seconds.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

function sharedQuota({ access }: EndpointShape, { config }: Platform): Quota | null {
  if (access.actor === 'anonymous' || config.requestsPerMinute === 0) return null
  return { limit: config.requestsPerMinute, windowSeconds: MINUTE_SECONDS }
}
