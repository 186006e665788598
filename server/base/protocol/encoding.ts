import { hash } from 'node:crypto'
import { ensure, ProtocolError } from './errors'
import { JSON_MAX_DEPTH } from './lifetimes'

/** A JSON object; its members are read with brackets and checked before use. */
export type JsonObject = { [member: string]: unknown }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LONE_SURROGATE = /\p{Surrogate}/u

/** Matches any text with a number that {@link isExact} might refuse: a long one, or one with an exponent. */
const SUSPECT_NUMBER = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]+[eE])/
/** Matches every number in JSON, and every string, so that digits inside strings are skipped. */
const NUMBER_OR_STRING = /-?\d[\d.eE+-]*|"[^"\\]*(?:\\.[^"\\]*)*"/g

/** Encodes as base64url without padding. @see {@link https://www.rfc-editor.org/rfc/rfc7515#section-2} */
export function encodeBase64url(data: Uint8Array | string): string {
  const bytes =
    typeof data === 'string' ? Buffer.from(data, 'utf8') : Buffer.from(data.buffer, data.byteOffset, data.length)
  return bytes.toString('base64url')
}

/**
 * Decodes base64url; throws unless it is canonical: no padding, no other characters, no unused bits that are set.
 * @see {@link https://www.rfc-editor.org/rfc/rfc4648#section-3.5}
 */
export function decodeBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  // Node skips invalid characters, so a text is canonical only if encoding the bytes gives the same text.
  ensure(bytes.toString('base64url') === text, 'malformed', 'The value is not canonical base64url')
  return bytes
}

/** Returns SHA-256 as bytes. */
export function sha256(data: Uint8Array | string): Buffer {
  return hash('sha256', data, 'buffer')
}

/** Returns SHA-256 as base64url, the form of thumbprints, `ath`, `sd_hash` and PKCE challenges. */
export function sha256Base64url(data: Uint8Array | string): string {
  return hash('sha256', data, 'base64url')
}

/** Whether a value is a JSON object: not null, not an array, not an instance of a class. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

interface JsonRules {
  readonly maxDepth?: number
  /** Whether the object itself, unlike those in it, may not have a member named `__proto__`. */
  readonly refusesPrototype?: boolean
}

/**
 * Parses the bytes of a JSON object. UTF-8 must be well-formed, nesting bounded, no text may contain a lone surrogate
 * (RFC 7493 section 2.1), and a double must represent every number exactly, up to 2^53 - 1 (section 2.2). Members named
 * `__proto__` are dropped, so that copying the object cannot set a prototype.
 */
export function parseJsonObject(bytes: Uint8Array, rules: JsonRules = {}): JsonObject {
  const value = parseJsonValue(bytes, rules)
  ensure(isJsonObject(value), 'malformed', 'The value is not a JSON object')
  return value
}

/** Parses the bytes of any JSON value under the rules of {@link parseJsonObject}. */
export function parseJsonValue(
  bytes: Uint8Array,
  { maxDepth = JSON_MAX_DEPTH, refusesPrototype = false }: JsonRules = {},
): unknown {
  const value = parseJson(bytes)
  const hasPrototype = refusesPrototype && isJsonObject(value) && Object.hasOwn(value, '__proto__')
  ensure(!hasPrototype, 'malformed', 'The JSON object has a member named __proto__')
  requireSafeJson(value, maxDepth)
  return value
}

function parseJson(bytes: Uint8Array): unknown {
  const [text, value] = decodeJson(bytes)
  if (SUSPECT_NUMBER.test(text)) requireExactNumbers(text)
  return value
}

function decodeJson(bytes: Uint8Array): [text: string, value: unknown] {
  try {
    const text = utf8.decode(bytes)
    return [text, JSON.parse(text)]
  } catch {
    throw new ProtocolError('malformed', 'The value is not JSON in UTF-8')
  }
}

/** Throws when JSON.parse would round a number, which may be an amount of money. */
function requireExactNumbers(json: string): void {
  for (const [literal] of json.matchAll(NUMBER_OR_STRING)) {
    const isKept = literal.startsWith('"') || isExact(literal)
    ensure(isKept, 'malformed', 'The JSON holds a number that is too large or too long to be kept exactly')
  }
}

/**
 * Whether a double represents a JSON number exactly as written, up to 2^53 - 1. Exponents need not be compared, because
 * two numbers with the same digits cannot both be nearest to the double.
 */
export function isExact(literal: string): boolean {
  const size = Math.abs(Number(literal))
  return size <= Number.MAX_SAFE_INTEGER && significantDigits(literal) === significantDigits(String(size))
}

/** Returns the digits of a number without its exponent and without zeros at either end. */
function significantDigits(literal: string): string {
  const [mantissa = ''] = literal.split(/e/i)
  const digits = mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

function requireSafeJson(value: unknown, depthLeft: number): void {
  if (typeof value === 'string') {
    ensure(!LONE_SURROGATE.test(value), 'malformed', 'The JSON holds a lone surrogate')
    return
  }
  if (typeof value !== 'object' || value === null) return
  ensure(depthLeft > 0, 'malformed', 'The JSON is nested too deeply')
  if (Array.isArray(value)) {
    for (const item of value) requireSafeJson(item, depthLeft - 1)
    return
  }
  Reflect.deleteProperty(value, '__proto__')
  for (const [name, member] of Object.entries(value)) {
    ensure(!LONE_SURROGATE.test(name), 'malformed', 'The JSON holds a lone surrogate')
    requireSafeJson(member, depthLeft - 1)
  }
}

/**
 * Serialises by the JSON Canonicalization Scheme. Throws for values that JSON cannot represent (undefined, NaN,
 * infinities, bigint, class instances, lone surrogates) instead of dropping or changing them.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8785#section-3.2}
 */
export function canonicalJson(value: unknown): string {
  return canonical(value, JSON_MAX_DEPTH)
}

function canonical(value: unknown, depthLeft: number): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number') {
    ensure(Number.isFinite(value), 'malformed', 'A number is not finite')
    // RFC 8785 section 3.2.2.3: numbers as ECMAScript writes them, which makes -0 a plain 0.
    return JSON.stringify(value)
  }
  ensure(depthLeft > 0, 'malformed', 'The value is nested too deeply')
  if (Array.isArray(value)) return `[${Array.from(value, (item: unknown) => canonical(item, depthLeft - 1)).join(',')}]`
  ensure(isJsonObject(value), 'malformed', 'The value has no JSON form')
  // RFC 8785 section 3.2.3: members sorted by UTF-16 code units, which is what toSorted() does by default.
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${canonicalString(name)}:${canonical(value[name], depthLeft - 1)}`).join(',')}}`
}

function canonicalString(text: string): string {
  ensure(!LONE_SURROGATE.test(text), 'malformed', 'A text holds a lone surrogate')
  return JSON.stringify(text)
}
