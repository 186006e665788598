/**
 * Parses a URL; returns null when the text is none. `URL.canParse` of Node.js 20 and 22 returns false for a valid URL
 * with letters such as ü once the caller has been compiled to machine code, so it is not used.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
