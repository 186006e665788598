/** Plain rules without a library, since the sign-in page loads them before anything else. */

/** An e-mail address, as far as it can be told without writing to it: no spaces, no control characters. */
export const MAIL_ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u
/** In characters (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const MAIL_ADDRESS_MAX = 254

/**
 * Where to go after signing in: a path of this portal, or the home page. Anything that a browser could take for
 * another site is dropped.
 */
export function safeNext(next: string | null | undefined): string {
  const isPath = typeof next === 'string' && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) && next.length <= 1_000
  return isPath && !next.startsWith('/sign-in') && !next.startsWith('/api/') ? next : '/'
}

/** Where to sign in and come back from; `ended` is the short word for why a session ended. */
export function signInPath(next: string, ended: string | null): string {
  const query = new URLSearchParams()
  if (next !== '/') query.set('next', next)
  if (ended !== null) query.set('ended', ended)
  return query.size === 0 ? '/sign-in' : `/sign-in?${query}`
}

/** Where a person who is signed in signs in once more, and comes back from. */
export const signInAgainPath = (next: string): string => `/sign-in?again=1&next=${encodeURIComponent(next)}`

/** How the page of the first day knows that somebody was led there, who did not ask for it. */
export const AFTER_SIGN_IN = 'sign-in'

/** Where signing in leads: where the person wanted to go, or else by the page of the first day to the home page. */
export function landingPath(next: string): string {
  return next === '/' ? `/welcome?from=${AFTER_SIGN_IN}` : next
}
