import { ServiceError } from './errors'
import type { RateLimits } from './platform'

export interface Quota {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** What whoever asked too often may read. */
  readonly words: string
}

/** Takes one from a quota. 429 rate_limited with `Retry-After` when nothing is left of it. */
export async function takeQuota(rateLimits: RateLimits, { key, limit, windowSeconds, words }: Quota): Promise<void> {
  const { allowed, retryAfterSeconds } = await rateLimits.take(key, limit, windowSeconds)
  if (allowed) return
  throw new ServiceError('rate_limited', words, { headers: { 'retry-after': String(retryAfterSeconds) } })
}
