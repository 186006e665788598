import { parse as parseArray } from 'postgres-array'
/**
 * Converts parameters to text, in the same way for both databases, so that the drivers' own conversions of dates, time
 * zones and arrays cannot make them differ.
 */
export function toParameters(values: readonly unknown[]): (string | null)[] {
  return values.map(toParameter)
}

function toParameter(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(elementText).join(',')}}`
  throw new TypeError('A SQL parameter must be a string, number, boolean, Date, null or an array of these.')
}

function numberText(value: number): string {
  const safe = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (!safe) throw new RangeError('A SQL parameter is a number that cannot be represented exactly.')
  return String(value)
}

function elementText(element: unknown): string {
  const text = toParameter(element)
  if (text === null) return 'NULL'
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

type Parse = (text: string) => unknown

/** Parses an int8; throws when a number cannot hold the value exactly. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('A bigint column holds a value beyond 2^53 - 1.')
  return value
}

/** Parses a timestamp such as `2026-11-21 10:00:00.123456+00`; the offset may have minutes. */
function parseTimestamptz(text: string): Date {
  const iso = text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')
  const value = new Date(iso)
  if (Number.isNaN(value.getTime())) throw new RangeError('A timestamptz column holds a value that is no instant.')
  return value
}

const asText: Parse = (text) => text
const asBoolean: Parse = (text) => text === 't'
const asJson: Parse = (text) => JSON.parse(text)

/** Returns the parser of an array column. PostgreSQL quotes and escapes elements, and writes null as a bare NULL. */
function arrayOf(parse: Parse): Parse {
  return (text) => parseArray(text, parse)
}

const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [16, asBoolean],
  [20, parseInt8],
  [21, Number],
  [23, Number],
  [26, Number],
  [114, asJson],
  [700, Number],
  [701, Number],
  [1184, parseTimestamptz],
  [3802, asJson],
  [199, arrayOf(asJson)],
  [1000, arrayOf(asBoolean)],
  [1003, arrayOf(asText)],
  [1005, arrayOf(Number)],
  [1007, arrayOf(Number)],
  [1009, arrayOf(asText)],
  [1015, arrayOf(asText)],
  [1016, arrayOf(parseInt8)],
  [1022, arrayOf(Number)],
  [1182, arrayOf(asText)],
  [1185, arrayOf(parseTimestamptz)],
  [3807, arrayOf(asJson)],
])

/** Returns the parser for a column's type; types without one (text, date, numeric) stay text. */
export function parserOf(typeId: number): Parse {
  return parsers.get(typeId) ?? asText
}
