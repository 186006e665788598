/**
 * The URL that a text is, or null. `URL.canParse` of Node.js 20 and 22 answers false for a good URL with letters such as ü
 * once the caller has been compiled to machine code, so the text is parsed instead.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
