/** Plain rules without a library, since the sign-in page loads them before anything else. */

/** An e-mail address by its form alone: no spaces, no control characters. */
export const MAIL_ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u
/** The longest e-mail address, in characters (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const MAIL_ADDRESS_MAX = 254

/**
 * Returns the page to open after signing in: a path of this portal, or the home page in place of anything that a
 * browser could take for another site.
 */
export function safeNext(next: string | null | undefined): string {
  const isPath = typeof next === 'string' && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) && next.length <= 1_000
  return isPath && !next.startsWith('/sign-in') && !next.startsWith('/api/') ? next : '/'
}

/** Returns the path to sign in at and come back to `next`; `ended` is the short word for why a session ended. */
export function signInPath(next: string, ended: string | null): string {
  const query = new URLSearchParams()
  if (next !== '/') query.set('next', next)
  if (ended !== null) query.set('ended', ended)
  return query.size === 0 ? '/sign-in' : `/sign-in?${query}`
}

/** Returns the path at which a person who is signed in signs in again, and which then leads to `next`. */
export const signInAgainPath = (next: string): string => `/sign-in?again=1&next=${encodeURIComponent(next)}`

/** The value of `from` by which a page knows that the sign-in opened it, and not a link. */
export const AFTER_SIGN_IN = 'sign-in'

/** Returns the path that follows a sign-in: the requested one, or the welcome page when that is the home page. */
export function landingPath(next: string): string {
  return next === '/' ? `/welcome?from=${AFTER_SIGN_IN}` : next
}
