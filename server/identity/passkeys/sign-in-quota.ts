import type { Platform } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'

/** The quota of all addresses together, as a multiple of that of one: enough for a crowd, and a bound for a flood. */
const ALL_ADDRESSES_FACTOR = 50
/** Short, so that people who meet a flood wait for seconds. */
const ALL_ADDRESSES_WINDOW_SECONDS = 6

interface SignInQuota {
  /** The name of the quota. */
  readonly name: string
  /** The network address of the caller; requests whose address is unknown share one quota. */
  readonly address: string | null
  /** Requests in a minute for one address. */
  readonly perMinute: number
}

/**
 * Counts one request of an address that has not signed in yet, for the address and for all together. Addresses cannot
 * use up one another's quotas. 429 rate_limited with `Retry-After`.
 */
export async function takeSignInQuota(
  { rateLimits }: Pick<Platform, 'rateLimits'>,
  { name, address, perMinute }: SignInQuota,
): Promise<void> {
  await takeQuota(rateLimits, {
    key: `${name}:${address ?? 'unknown'}`,
    limit: perMinute,
    windowSeconds: 60,
    message: 'Too many requests came from this network address. Try again in a minute.',
  })
  await takeQuota(rateLimits, {
    key: name,
    limit: Math.ceil((perMinute * ALL_ADDRESSES_FACTOR * ALL_ADDRESSES_WINDOW_SECONDS) / 60),
    windowSeconds: ALL_ADDRESSES_WINDOW_SECONDS,
    message: 'Too many people are signing in. Try again in a few seconds.',
  })
}
