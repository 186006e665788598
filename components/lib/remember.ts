const ONE_YEAR_SECONDS = 31_536_000
/** The prefix of a cookie that browsers accept only over TLS and only from this host (RFC 6265bis section 4.1.3.2). */
const HOST_PREFIX = '__Host-'

/** Returns the cookie that stores a choice of how pages look, so that the server already renders them that way. */
export function choiceCookie(name: string, value: string, isSecure: boolean): string {
  const pair = `${name}=${value}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`
  return isSecure ? `${HOST_PREFIX}${pair}; secure` : pair
}

/**
 * Returns the stored choice from the cookies that `read` returns; the one that only this host can set takes precedence.
 */
export function chosenIn(read: (cookie: string) => string | undefined, name: string): string | undefined {
  return read(`${HOST_PREFIX}${name}`) ?? read(name)
}

/** Stores a choice of how pages look in this browser. */
export function rememberChoice(name: string, value: string): void {
  document.cookie = choiceCookie(name, value, location.protocol === 'https:')
}

/** Returns the stored choice from the browser's cookies. */
export function rememberedChoice(name: string): string | undefined {
  const cookies = new Map(document.cookie.split('; ').map((pair) => pair.split('=') as [string, string]))
  return chosenIn((cookie) => cookies.get(cookie), name)
}
