const ONE_YEAR_SECONDS = 31_536_000
/** Browsers take such a cookie over TLS alone, and from this host alone: RFC 6265bis, section 4.1.3.2. */
const HOST_PREFIX = '__Host-'

/** The cookie that keeps a choice of how pages look, so that the server already sends them that way. */
export function choiceCookie(name: string, value: string, isSecure: boolean): string {
  const pair = `${name}=${value}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`
  return isSecure ? `${HOST_PREFIX}${pair}; secure` : pair
}

/** What was chosen, by the cookies that `read` knows: the one that only this host can set comes first. */
export function chosenIn(read: (cookie: string) => string | undefined, name: string): string | undefined {
  return read(`${HOST_PREFIX}${name}`) ?? read(name)
}

/** Keeps a choice of how pages look in this browser. */
export function rememberChoice(name: string, value: string): void {
  document.cookie = choiceCookie(name, value, location.protocol === 'https:')
}

/** What was chosen, as the browser has it. */
export function rememberedChoice(name: string): string | undefined {
  const cookies = new Map(document.cookie.split('; ').map((pair) => pair.split('=') as [string, string]))
  return chosenIn((cookie) => cookies.get(cookie), name)
}
