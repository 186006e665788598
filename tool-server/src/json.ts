/** A JSON object of unknown members. */
export type JsonObject = Record<string, unknown>

/** Returns whether the value is a JSON object, neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Serializes a value with sorted members and no spaces, the same for equal values. Implements RFC 8785 for values
 * without fractions.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8785#section-3.2.3}
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`
}

/** Parses JSON text; returns undefined when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
