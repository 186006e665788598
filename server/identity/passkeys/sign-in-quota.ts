import type { Platform } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'

/** All addresses together may do this many times what one may: enough for a crowd, and an end to a flood. */
const ALL_ADDRESSES_FACTOR = 50
/** Short, so that people who meet a flood wait for seconds. */
const ALL_ADDRESSES_WINDOW_SECONDS = 6

interface SignInQuota {
  /** What is counted. */
  readonly name: string
  /** Where the request came from; requests whose address is unknown share one quota. */
  readonly address: string | null
  /** What one address may send in a minute. */
  readonly perMinute: number
}

/**
 * Takes one from the quota of an address that has not signed in yet, and one from that of all together. Nobody uses up
 * another address's quota. 429 rate_limited with `Retry-After`.
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
