/** More than a page ever uses. On the server, which writes for everybody, what is kept starts over beyond it. */
const KEPT_MAX = 500

/**
 * Keeps the formats that `make` makes: making one takes as long as using it fifty times, and pages with long lists need
 * the same few for every row, and every second for what says how long ago something was.
 */
export function keptFormats<Of extends readonly (string | undefined)[], Format>(
  make: (...of: Of) => Format,
): (...of: Of) => Format {
  const kept = new Map<string, Format>()
  return (...of) => {
    const key = of.join('|')
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size === KEPT_MAX) kept.clear()
    const format = make(...of)
    kept.set(key, format)
    return format
  }
}
