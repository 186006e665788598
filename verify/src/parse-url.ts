/**
 * Parses a URL; returns null when it is invalid. `URL.canParse` is not used: in Node.js 20 and 22 it returns false
 * for a valid URL with letters such as ü once the caller has been optimized.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
