import { CountersignError } from '../errors.js'

/** The issuer identifier of an authorization server: its URL without trailing slash. @see {@link https://www.rfc-editor.org/rfc/rfc8414#section-2} */
export function toIssuer(asUrl: string): string {
  if (!URL.canParse(asUrl)) throw new CountersignError('the authorization server URL is not a URL')
  const { search, hash, protocol } = new URL(asUrl)
  if (search !== '' || hash !== '' || !/^https?:$/.test(protocol)) {
    throw new CountersignError('the authorization server URL must be http(s) without query and fragment')
  }
  return asUrl.replace(/\/+$/, '')
}

/** Where the issuer publishes its metadata. @see {@link https://www.rfc-editor.org/rfc/rfc8414#section-3.1} */
export function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`
}
