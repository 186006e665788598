import { ServiceError } from './errors'
import type { RateLimits } from './platform'

/** A quota of one caller, of which a request takes one. */
export interface QuotaToTake {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** Whether it holds in every window of this length. */
  readonly sliding?: boolean
  /** The description of the error beyond the limit. */
  readonly message: string
}

/** Takes one from a quota. 429 rate_limited with `Retry-After` when it is used up. */
export async function takeQuota(rateLimits: RateLimits, quota: QuotaToTake): Promise<void> {
  const { key, limit, windowSeconds, sliding = false, message } = quota
  const { allowed, retryAfterSeconds } = await rateLimits.take(key, limit, windowSeconds, { sliding })
  if (allowed) return
  throw new ServiceError('rate_limited', message, { headers: { 'retry-after': String(retryAfterSeconds) } })
}
