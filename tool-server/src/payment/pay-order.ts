import { isLoopbackUrl, requireAllowedUrl } from '../http/address-guard.js'
import { createOutbound } from '../http/outbound.js'
import { requireMerchantHost } from '../merchant/host-rule.js'
import type { Settings } from '../settings.js'
import { PendingStore } from '../state/pending-store.js'
import { RedirectStore } from '../state/redirect-store.js'
import type { Host } from './host.js'
import type { PayAnswer } from './pay-result.js'
import { makePurchase, type Purchase } from './purchase.js'

/** The merchant, and the address at which its mandate is presented. */
export interface Addresses {
  readonly merchant: string
  readonly url: string
  readonly issuer: string
}

/**
 * Checks the addresses that a model gave, before the person is asked and before any request. Merchants on this machine
 * are allowed only with a sandbox on this machine.
 */
export function requireAddresses({ merchant, url, issuer }: Addresses): void {
  for (const address of [merchant, url]) requireAllowedUrl(address, isLoopbackUrl(issuer))
  requireMerchantHost(url, { merchant, issuer })
}

/** Pays an order on behalf of a tool. */
export async function payOrder(
  { client, order, wishKey, approvalOptions }: Pick<Purchase, 'client' | 'order' | 'wishKey' | 'approvalOptions'>,
  host: Host & { readonly settings: Settings },
): Promise<PayAnswer> {
  const { issuer } = client
  requireAddresses({ merchant: order.merchant, url: order.route.url, issuer })
  const send = createOutbound({ allowLoopback: isLoopbackUrl(issuer) })
  const { home } = host.settings
  const stores = { pending: new PendingStore(home), redirects: new RedirectStore(home) }
  return makePurchase({ client, order, wishKey, approvalOptions, host, send, ...stores })
}
