import { CountersignError } from '../errors.js'
import { isJsonObject, type JsonObject, parseJson } from '../json.js'
import { DISCLOSURES_MAX, MANDATE_MAX_DEPTH } from '../limits.js'
import { sha256 } from './keys.js'

type Disclosure = { readonly name: string; readonly value: unknown } | { readonly element: unknown }

const RESERVED = new Set(['_sd', '...', '__proto__'])
const malformed = () => new CountersignError('refused a malformed mandate')

/**
 * Returns the payload of an SD-JWT with every disclosure inserted. Throws for unreferenced, repeated and overriding
 * disclosures.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.1}
 */
export function applyDisclosures(payload: JsonObject, disclosures: readonly string[]): JsonObject {
  if (disclosures.length > DISCLOSURES_MAX || (payload['_sd_alg'] ?? 'sha-256') !== 'sha-256') throw malformed()
  const unused = new Map(disclosures.map((encoded) => [sha256(encoded), parseDisclosure(encoded)]))
  if (unused.size !== disclosures.length) throw malformed()
  const seen = new Set<string>()
  const take = (digest: unknown): Disclosure | undefined => {
    if (typeof digest !== 'string' || seen.has(digest)) throw malformed()
    seen.add(digest)
    const disclosure = unused.get(digest)
    unused.delete(digest)
    return disclosure
  }
  const { _sd_alg: _algorithm, ...claims } = resolveObject(payload, take, 0)
  if (unused.size > 0) throw malformed()
  return claims
}

type Take = (digest: unknown) => Disclosure | undefined

function resolveValue(value: unknown, take: Take, depth: number): unknown {
  if (depth > MANDATE_MAX_DEPTH) throw malformed()
  if (Array.isArray(value)) return value.flatMap((item) => resolveElement(item, take, depth + 1))
  return isJsonObject(value) ? resolveObject(value, take, depth + 1) : value
}

function resolveObject(object: JsonObject, take: Take, depth: number): JsonObject {
  if (depth > MANDATE_MAX_DEPTH) throw malformed()
  const { _sd: digests = [], ...claims } = object
  if (!Array.isArray(digests)) throw malformed()
  const resolved = new Map(Object.entries(claims).map(([name, value]) => [name, resolveValue(value, take, depth)]))
  for (const digest of digests) {
    const disclosure = take(digest)
    if (disclosure === undefined) continue
    if (!('name' in disclosure) || resolved.has(disclosure.name)) throw malformed()
    resolved.set(disclosure.name, resolveValue(disclosure.value, take, depth))
  }
  return Object.fromEntries(resolved)
}

function resolveElement(item: unknown, take: Take, depth: number): unknown[] {
  if (!isJsonObject(item) || !('...' in item)) return [resolveValue(item, take, depth)]
  if (Object.keys(item).length !== 1) throw malformed()
  const disclosure = take(item['...'])
  if (disclosure === undefined) return []
  if (!('element' in disclosure)) throw malformed()
  return [resolveValue(disclosure.element, take, depth)]
}

/** Returns the name of the claim that a disclosure contains; undefined for an array element. */
export function disclosureName(encoded: string): string | undefined {
  const disclosure = parseDisclosure(encoded)
  return 'name' in disclosure ? disclosure.name : undefined
}

function parseDisclosure(encoded: string): Disclosure {
  const parts = parseJson(Buffer.from(encoded, 'base64url').toString('utf8'))
  if (!Array.isArray(parts) || typeof parts[0] !== 'string') throw malformed()
  if (parts.length === 2) return { element: parts[1] }
  const name: unknown = parts[1]
  if (parts.length !== 3 || typeof name !== 'string' || RESERVED.has(name)) throw malformed()
  return { name, value: parts[2] }
}
