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
