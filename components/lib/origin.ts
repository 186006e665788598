import { parseUrl } from '@/server/base/core/parse-url'

export interface Origin {
  /** Scheme, host and port, for a person to compare. */
  readonly text: string
  readonly host: string
  /** The rest of the address after the origin, where several merchants share one. */
  readonly path: string
  /** Whether the host has an internationalised label, which may look like another name. */
  readonly punycode: boolean
}

/** Returns the origin of a merchant's address, always in its unambiguous ASCII form. */
export function readOrigin(address: string): Origin {
  const url = parseUrl(address)
  if (url === null) return { text: address, host: address, path: '', punycode: false }
  return {
    text: url.origin === 'null' ? address : url.origin,
    host: url.host,
    path: url.pathname === '/' ? '' : url.pathname,
    punycode: url.hostname.split('.').some((label) => label.startsWith('xn--')),
  }
}
