const ONE_YEAR_SECONDS = 31_536_000

/** Keeps a choice of how pages look in a cookie, so that the server already sends them that way. */
export function rememberChoice(cookie: string, value: string): void {
  document.cookie = `${cookie}=${value}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`
}

/** What was chosen, as the browser has it. */
export function rememberedChoice(cookie: string): string | undefined {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='))
  return pairs.find(([name]) => name === cookie)?.[1]
}
