import type { EndpointShape, Quota } from '../../base/contract/endpoint'
import type { Actor, WalletActor } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'
import type { Exchange } from './exchange'

const MINUTE_SECONDS = 60

/**
 * Returns the owner of the quota: the client, the person or, for anonymous callers, the address; null for no quota. The
 * quota that endpoints share is counted for each holder of a person's tokens, so that no agent uses up what the person's
 * wallet app needs to stop it.
 */
function quotaOwner(actor: Actor, { address, isShared }: { address: string | null; isShared: boolean }): string | null {
  switch (actor.kind) {
    case 'client':
      return `client:${actor.client.id}`
    case 'agent':
      return `client:${actor.clientId}`
    case 'wallet':
      return `principal:${actor.principalId}${isShared ? holderOf(actor) : ''}`
    case 'anonymous':
    case 'key':
      return address === null ? null : `address:${address}`
    case 'backend':
      return actor.client === null ? null : `client:${actor.client.id}`
    case 'operator':
      return null
  }
}

const holderOf = (actor: WalletActor): string =>
  actor.via === 'token' ? ` client:${actor.token.agentClientId ?? ''}` : ''

/**
 * Takes one request from the caller's quota; throws 429 with `Retry-After` when it is used up. An endpoint's own quota
 * is counted for that endpoint; all other endpoints share one quota per authenticated caller.
 */
export async function requireQuota({ endpoint, platform, actor, request }: Exchange): Promise<void> {
  const isShared = endpoint.quota === undefined
  const owner = quotaOwner(actor, { address: request.address, isShared })
  if (owner === null) return
  const quota = endpoint.quota ?? sharedQuota(endpoint, platform)
  if (quota === null) return
  const name = isShared ? 'requests' : endpoint.operationId
  const { windowSeconds, sliding = false } = quota
  const limit = quota.setting === undefined ? quota.limit : platform.config[quota.setting]
  // With the base URL, because installations may share a store.
  const key = `${platform.config.baseUrl} ${name} ${owner}`
  const message = `At most ${limit} requests in ${windowSeconds} seconds.`
  await takeQuota(platform.rateLimits, { key, limit, windowSeconds, sliding, message })
}

function sharedQuota({ access }: EndpointShape, { config }: Platform): Quota | null {
  if (access.actor === 'anonymous' || config.requestsPerMinute === 0) return null
  return { limit: config.requestsPerMinute, windowSeconds: MINUTE_SECONDS }
}
