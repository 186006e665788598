import { parseUrl } from '@/server/base/core/parse-url'

export interface Origin {
  /** Scheme, host and port; what a person should compare. */
  readonly text: string
  readonly host: string
  /** What follows the origin, when several merchants share one. */
  readonly path: string
  /** The host holds an internationalised label, which may look like another name. */
  readonly punycode: boolean
}

/** The origin of a merchant's address, always in its unambiguous ASCII form. */
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
