export interface Origin {
  /** Scheme, host and port; what a person should compare. */
  readonly text: string
  readonly host: string
  /** The host holds an internationalised label, which may look like another name. */
  readonly punycode: boolean
  readonly secure: boolean
}

/** The origin of a merchant's address, always in its unambiguous ASCII form. */
export function readOrigin(address: string): Origin {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null) return { text: address, host: address, punycode: false, secure: false }
  return {
    text: url.origin === 'null' ? address : url.origin,
    host: url.host,
    punycode: url.hostname.split('.').some((label) => label.startsWith('xn--')),
    secure: url.protocol === 'https:',
  }
}
