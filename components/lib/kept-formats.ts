/**
 * More formats than a page ever uses. On the server, which serves every reader, the cache is cleared when it exceeds
 * this.
 */
const KEPT_MAX = 500

/**
 * Returns a function that caches the formats which `make` creates. Creating one takes as long as using it fifty times;
 * long lists need the same few in every row, and relative times every second.
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
