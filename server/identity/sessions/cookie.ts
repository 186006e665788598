import { parseCookie, stringifySetCookie } from 'cookie'
import type { CookiesOptions } from 'next-auth'
import { decode, encode, type JWT } from 'next-auth/jwt'
import type { Platform } from '../../base/core/platform'
import { SESSION_MAX_SECONDS, SIGN_IN_TOKEN_TTL_SECONDS } from './contract'

const COOKIE_PURPOSE = 'portal-session'

/** Returns the key under which session cookies are encrypted; the same in every process. */
export function cookieSecret(platform: Platform): string {
  return platform.sealer.derive(COOKIE_PURPOSE).toString('base64url')
}

export const isSecure = (platform: Platform): boolean => platform.config.baseUrl.startsWith('https:')

/**
 * Returns a cookie's name; with https one that browsers accept only from this very host over https (RFC 6265bis section
 * 4.1.3.2).
 */
function cookieName(platform: Platform, name: string): string {
  return isSecure(platform) ? `__Host-countersign.${name}` : `countersign.${name}`
}

const sessionCookieName = (platform: Platform): string => cookieName(platform, 'session')

const cookieAttributes = (platform: Platform) =>
  ({ httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(platform) }) as const

/** Returns the names and attributes under which the sign-in library sets its cookies. */
export function cookieOptions(platform: Platform): Partial<CookiesOptions> {
  const options = cookieAttributes(platform)
  return {
    sessionToken: { name: sessionCookieName(platform), options },
    csrfToken: { name: cookieName(platform, 'csrf'), options },
    callbackUrl: { name: cookieName(platform, 'callback-url'), options },
  }
}

/** The content of a session cookie, which holds nothing about the person. */
export interface SessionClaims {
  readonly id: string
  /** The number of the cookie within its session, from 0. */
  readonly generation: number
}

/** Returns the claims in the form of the cookie's sealed token. */
export const toToken = ({ id, generation }: SessionClaims): JWT => ({ sid: id, gen: generation })

/** Returns the claims of a decrypted token, or null when it is not a session's. */
export function fromToken(token: JWT | null): SessionClaims | null {
  const { sid: id, gen: generation } = token ?? {}
  return typeof id === 'string' && typeof generation === 'number' ? { id, generation } : null
}

/** Returns the `Set-Cookie` value of a session's cookie, like the one that the sign-in library sets first. */
export async function encryptSessionCookie(platform: Platform, claims: SessionClaims): Promise<string> {
  const value = await encode({ token: toToken(claims), secret: cookieSecret(platform), maxAge: SESSION_MAX_SECONDS })
  const expires = new Date(platform.clock.now().getTime() + SESSION_MAX_SECONDS * 1000)
  return stringifySetCookie({ name: sessionCookieName(platform), value, expires, ...cookieAttributes(platform) })
}

/**
 * Returns the claims of the request's session cookie, or null when there is none or it is not one of this installation.
 */
export async function readSessionClaims(platform: Platform, headers: Headers): Promise<SessionClaims | null> {
  const token = parseCookie(headers.get('cookie') ?? '')[sessionCookieName(platform)]
  return token === undefined ? null : fromToken(await decryptSessionCookie(platform, token))
}

/**
 * Returns the content of a session cookie, encrypted under any of the keys; null when it is expired, forged, or from
 * another installation on the same host.
 */
export async function decryptSessionCookie(platform: Platform, token: string): Promise<JWT | null> {
  for (const secret of platform.sealer.deriveAll(COOKIE_PURPOSE)) {
    try {
      return await decode({ token, secret: secret.toString('base64url') })
    } catch {
      // It may be encrypted under the next key.
    }
  }
  return null
}

const signInCookieName = (platform: Platform): string => cookieName(platform, 'sign-in')

/** 32 bytes as base64url. */
const BROWSER_SECRET = /^[\w-]{43}$/

/** Returns the secret that identifies a browser which has asked for a sign-in link; null when it has none. */
export function readBrowserSecret(platform: Platform, headers: Headers): string | null {
  const value = parseCookie(headers.get('cookie') ?? '')[signInCookieName(platform)]
  return value !== undefined && BROWSER_SECRET.test(value) ? value : null
}

/** Returns the `Set-Cookie` value that stores a browser's secret for as long as a link is valid. */
export function browserSecretCookie(platform: Platform, secret: string): string {
  const attributes = { ...cookieAttributes(platform), maxAge: SIGN_IN_TOKEN_TTL_SECONDS }
  return stringifySetCookie({ name: signInCookieName(platform), value: secret, ...attributes })
}
