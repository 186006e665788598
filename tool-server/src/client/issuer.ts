import { CountersignError } from '../errors.js'
import { isLoopbackHost } from '../http/address-guard.js'
import { parseUrl } from '../http/parse-url.js'

/**
 * Returns the issuer identifier of an authorization server: its URL without trailing slash.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8414#section-2}
 */
export function toIssuer(asUrl: string): string {
  return requireIssuerUrl(asUrl).replace(/\/+$/, '')
}

/**
 * Returns the URL if it can be that of an authorization server: https, or http on this machine; no userinfo, query or
 * fragment. Throws a CountersignError otherwise.
 */
export function requireIssuerUrl(asUrl: string): string {
  const url = parseUrl(asUrl)
  if (url === null) throw new CountersignError('the authorization server URL is not a URL')
  const { search, hash, protocol, username, password, hostname } = url
  const isBare = search === '' && hash === '' && username === '' && password === '' && !/[?#]/.test(asUrl)
  if (!isBare || !/^https?:$/.test(protocol)) {
    throw new CountersignError('the authorization server URL must be http(s) without query, fragment and userinfo')
  }
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    throw new CountersignError('the authorization server URL must be https beyond this machine')
  }
  return asUrl
}

/** Returns the address of the issuer's metadata. @see {@link https://www.rfc-editor.org/rfc/rfc8414#section-3.1} */
export function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`
}
