import { AddressRefused } from '../errors.js'

/** The address that a presentation is sent to, and the merchant that it must belong to. */
export interface MerchantAddress {
  /** The merchant that the mandate is for. */
  readonly merchant: string
  /** Base URL of the authorization server. */
  readonly issuer: string
}

/**
 * Throws unless the address belongs to the merchant. Otherwise an attacker could fetch the merchant's nonce, offer it
 * as its own and redeem the presentation there. Subdomains belong to the merchant, and so do the test verifiers of the
 * authorization server, which exist only in a sandbox.
 */
export function requireMerchantHost(url: string, { merchant, issuer }: MerchantAddress): void {
  const address = new URL(url)
  if (isHostOrBelow(address, new URL(merchant)) || isTestVerifier(address, new URL(issuer))) return
  throw new AddressRefused('another host than the merchant')
}

function isHostOrBelow(address: URL, merchant: URL): boolean {
  if (portOf(address) !== portOf(merchant)) return false
  const [host, parent] = [nameOf(address), nameOf(merchant)]
  return host === parent || host.endsWith(`.${parent}`)
}

function isTestVerifier(address: URL, issuer: URL): boolean {
  const base = issuer.pathname.replace(/\/+$/, '')
  return address.origin === issuer.origin && address.pathname.startsWith(`${base}/merchant_test/`)
}

const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')
