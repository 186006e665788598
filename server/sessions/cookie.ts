import type { CookiesOptions } from 'next-auth'
import { decode } from 'next-auth/jwt'
import type { Platform } from '../core/platform'

/** The key under which session cookies are encrypted; the same in every process. */
export function cookieSecret(platform: Platform): string {
  return platform.sealer.derive('portal-session').toString('base64url')
}

export const isSecure = (platform: Platform): boolean => platform.config.baseUrl.startsWith('https:')

/** With https, a name that browsers only accept from this very host over https (RFC 6265bis section 4.1.3.2). */
function cookieName(platform: Platform, name: string): string {
  return isSecure(platform) ? `__Host-countersign.${name}` : `countersign.${name}`
}

export const sessionCookieName = (platform: Platform): string => cookieName(platform, 'session')

export function cookieOptions(platform: Platform): Partial<CookiesOptions> {
  const options = { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: isSecure(platform) }
  return {
    sessionToken: { name: sessionCookieName(platform), options },
    csrfToken: { name: cookieName(platform, 'csrf'), options },
    callbackUrl: { name: cookieName(platform, 'callback-url'), options },
  }
}

/** What a session cookie says: which session, and which of its cookies this is, counted from 0. */
export interface SessionClaims {
  readonly id: string
  readonly generation: number
}

/** What the request's session cookie says, or null when there is none or it is not ours. */
export async function readSessionClaims(platform: Platform, headers: Headers): Promise<SessionClaims | null> {
  const token = readCookies(headers).get(sessionCookieName(platform))
  if (token === undefined) return null
  try {
    const claims = await decode({ token, secret: cookieSecret(platform) })
    const { sid: id, gen: generation } = claims ?? {}
    return typeof id === 'string' && typeof generation === 'number' ? { id, generation } : null
  } catch {
    // Expired, forged, or of another installation on the same host.
    return null
  }
}

/** The request's cookies; of two with one name the first counts. */
export function readCookies(headers: Headers): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, decodeValue(pair.slice(at + 1).trim()))
  }
  return cookies
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
