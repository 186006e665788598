import { ServiceError } from './errors'
import type { RateLimits } from './platform'

/** A quota from which one request is taken. */
export interface QuotaToTake {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** Whether the limit applies to every window of this length, not only to those that begin with a first request. */
  readonly sliding?: boolean
  /** The description of the error when the limit is exceeded. */
  readonly message: string
}

/** Takes one request from a quota. Throws 429 rate_limited with `Retry-After` when it is used up. */
export async function takeQuota(rateLimits: RateLimits, quota: QuotaToTake): Promise<void> {
  const { key, limit, windowSeconds, sliding = false, message } = quota
  const { allowed, retryAfterSeconds } = await rateLimits.take(key, limit, windowSeconds, { sliding })
  if (allowed) return
  throw new ServiceError('rate_limited', message, { headers: { 'retry-after': String(retryAfterSeconds) } })
}
