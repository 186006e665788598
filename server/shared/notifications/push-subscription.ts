import * as z from 'zod'
import type { Platform, Sealer } from '../../base/core/platform'
import type { SealedColumn } from '../../base/platform/keys/reseal'
import { sha256Base64url } from '../../base/protocol/encoding'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'
import { listSealedSubscriptions, replaceSealedSubscription } from './device-store'

const subscription = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() })

/** The address at which a browser's push service accepts messages, and the keys to encrypt them with, in base64url. */
export type PushSubscription = Readonly<z.output<typeof subscription>>

/**
 * Returns the hash by which a subscription is found. The address itself stays sealed, since anyone who knows it can
 * send messages there.
 */
export const endpointHash = (endpoint: string): string => sha256Base64url(endpoint)

const contextOf = (hash: string): string => `push-subscription/${hash}`

export function sealSubscription(sealer: Sealer, { endpoint, p256dh, auth }: PushSubscription): string {
  return sealer.seal(Buffer.from(JSON.stringify({ endpoint, p256dh, auth })), contextOf(endpointHash(endpoint)))
}

export function openSubscription(sealer: Sealer, hash: string, sealed: string): PushSubscription {
  return subscription.parse(JSON.parse(sealer.open(sealed, contextOf(hash)).toString()))
}

/**
 * Returns whether messages may be sent to the address: at a known push service, or on this machine when
 * `outboundLoopback` is set.
 */
export function isPushService({ config, outbound }: Pick<Platform, 'config' | 'outbound'>, endpoint: string): boolean {
  if (endpoint.length > URI_MAX_CHARS || !outbound.allows(endpoint)) return false
  const { hostname, protocol } = new URL(endpoint)
  const isOnThisMachine =
    config.outboundLoopback && (protocol === 'http:' || /^(?:127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname))
  return isOnThisMachine || config.pushHosts.some((host) => isBelow(hostname, host))
}

const isBelow = (hostname: string, host: string): boolean =>
  host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host

/** The sealed column with the addresses and keys of push subscriptions. */
export const sealedSubscriptions: SealedColumn = {
  what: 'push subscriptions',
  contextOf,
  list: listSealedSubscriptions,
  replace: replaceSealedSubscription,
}
