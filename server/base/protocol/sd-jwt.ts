import { invariant } from '../core/invariant'
import { type SigningKey, signEddsa } from './eddsa'
import {
  decodeBase64url,
  encodeBase64url,
  isJsonObject,
  type JsonObject,
  parseJsonValue,
  sha256Base64url,
} from './encoding'
import { ensure } from './errors'
import { DISCLOSURES_MAX, PRESENTATION_MAX_BYTES, SD_JWT_MAX_DEPTH } from './lifetimes'

/** Returns `count` bytes from the source of randomness. */
export type RandomBytes = (count: number) => Uint8Array

/** The length of a salt: RFC 9901 section 9.3 recommends 128 bits. */
const SALT_BYTES = 16
/** Reserved names, which no claim may have (RFC 9901 section 4.1). */
const RESERVED_NAMES = ['_sd', '...', '_sd_alg', '__proto__']

/** The parts of an SD-JWT with or without key binding, not verified. */
export interface SdJwtParts {
  readonly issuerJwt: string
  readonly disclosures: readonly string[]
  /** The key-binding JWT; null in an SD-JWT without one. */
  readonly keyBindingJwt: string | null
  /** The text up to and including the last tilde, over which `sd_hash` is computed. */
  readonly boundText: string
}

/**
 * Creates one disclosure for each claim, with its own salt.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-4.2.1}
 */
export function createDisclosures(disclosable: JsonObject, randomBytes: RandomBytes): string[] {
  const names = Object.keys(disclosable)
  invariant(names.length <= DISCLOSURES_MAX, 'an SD-JWT has a bounded number of disclosures')
  invariant(!names.some((name) => RESERVED_NAMES.includes(name)), 'a disclosable claim has no reserved name')
  return Object.entries(disclosable).map(([name, value]) =>
    encodeBase64url(JSON.stringify([encodeBase64url(randomBytes(SALT_BYTES)), name, value])),
  )
}

/**
 * Issues an SD-JWT with plain claims and the digests of disclosures.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-4}
 */
export function issueSdJwt(input: {
  readonly typ: string
  readonly claims: JsonObject
  /** Made by `createDisclosures`. */
  readonly disclosures: readonly string[]
  /** The disclosures of members inside the claims, which contain their digests already. */
  readonly innerDisclosures?: readonly string[]
  readonly key: SigningKey
}): string {
  const { typ, claims, disclosures, innerDisclosures = [], key } = input
  const isFree = disclosures.every((text) => !Object.hasOwn(claims, parseDisclosure(text).name ?? ''))
  invariant(isFree, 'a disclosable claim has a name of its own')
  const payload = { ...claims, ...(disclosures.length > 0 && digestsOf(disclosures)), _sd_alg: 'sha-256' }
  const jwt = signEddsa({ typ, payload, key })
  return [jwt, ...disclosures, ...innerDisclosures, ''].join('~')
}

/**
 * Returns the `_sd` member with the digests of disclosures, for the object that they belong to.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-4.2.4.1}
 */
export function digestsOf(disclosures: readonly string[]): { readonly _sd: readonly string[] } {
  // Sorted, so that the order of the digests does not reveal that of the claims.
  return { _sd: disclosures.map((disclosure) => sha256Base64url(disclosure)).toSorted() }
}

/** Splits the compact form at its tildes. @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-4} */
export function splitSdJwt(text: string): SdJwtParts {
  ensure(text.length <= PRESENTATION_MAX_BYTES, 'malformed', 'The SD-JWT is too long')
  const lastTilde = text.lastIndexOf('~')
  ensure(lastTilde > 0, 'malformed', 'The value is not an SD-JWT')
  const [issuerJwt = '', ...disclosures] = text.slice(0, lastTilde).split('~')
  ensure(disclosures.length <= DISCLOSURES_MAX, 'malformed', 'The SD-JWT has too many disclosures')
  ensure(issuerJwt !== '' && !disclosures.includes(''), 'malformed', 'The SD-JWT has an empty part')
  return {
    issuerJwt,
    disclosures,
    keyBindingJwt: text.slice(lastTilde + 1) || null,
    boundText: text.slice(0, lastTilde + 1),
  }
}

/** The name and the value in a disclosure. */
interface Disclosure {
  /** The name of the claim; null for an element of an array. */
  readonly name: string | null
  readonly value: unknown
}

/** The state while a payload is processed: disclosures by digest without a reference so far, and all digests seen. */
interface Processing {
  readonly pending: Map<string, Disclosure>
  readonly seen: Set<string>
  readonly plainOnly: readonly string[]
}

/** A payload in which digests are replaced by the disclosed claims. */
export interface ProcessedSdJwt {
  readonly payload: JsonObject
  /** The top-level claims from disclosures. */
  readonly disclosed: JsonObject
}

/** Disclosures by their digests. */
export type Disclosures = ReadonlyMap<string, Disclosure>

/**
 * Decodes the disclosures of an SD-JWT: a limited number, all different, with the nesting limit of the whole payload.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-4.2}
 */
export function parseDisclosures(texts: readonly string[]): Disclosures {
  ensure(texts.length <= DISCLOSURES_MAX, 'malformed', 'The SD-JWT has too many disclosures')
  const disclosures = new Map(texts.map((text) => [sha256Base64url(text), parseDisclosure(text)]))
  ensure(disclosures.size === texts.length, 'malformed', 'A disclosure occurs twice')
  return disclosures
}

/**
 * Replaces the digests of an SD-JWT by the disclosed claims. Refuses disclosures without a digest, digests that occur
 * twice, names that are reserved or in use, and disclosures of or inside the top-level claims `plainOnly`, which
 * determine the validity.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.1}
 */
export function processSdJwt(input: {
  readonly payload: JsonObject
  readonly disclosures: Disclosures
  readonly plainOnly: readonly string[]
}): ProcessedSdJwt {
  const { payload, disclosures, plainOnly } = input
  const { _sd_alg: hashAlgorithm = 'sha-256', ...rest } = payload
  ensure(hashAlgorithm === 'sha-256', 'malformed', 'The hash algorithm of the SD-JWT is not supported')
  const isPlain = !plainOnly.some((name) => Object.hasOwn(rest, name) && hasDigests(rest[name]))
  ensure(isPlain, 'malformed', 'A claim that must be plain is hidden in part')
  const pending = new Map(disclosures)
  const processing: Processing = { pending, seen: new Set(), plainOnly }
  const processed = processObject(rest, processing, SD_JWT_MAX_DEPTH)
  // RFC 9901 section 7.1 (5).
  ensure(pending.size === 0, 'malformed', 'A disclosure belongs to no digest')
  const disclosedEntries = Object.entries(processed).filter(([name]) => !Object.hasOwn(rest, name))
  return { payload: processed, disclosed: Object.fromEntries(disclosedEntries) }
}

/** Whether a value contains digests of disclosures at any depth, so that the holder determines its content. */
function hasDigests(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasDigests)
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([name, member]) => name === '_sd' || name === '...' || hasDigests(member))
}

function parseDisclosure(text: string): Disclosure {
  const content = parseJsonValue(decodeBase64url(text), { maxDepth: SD_JWT_MAX_DEPTH })
  ensure(Array.isArray(content) && typeof content[0] === 'string', 'malformed', 'A disclosure is malformed')
  if (content.length === 2) return { name: null, value: content[1] }
  const name: unknown = content[1]
  ensure(content.length === 3 && typeof name === 'string', 'malformed', 'A disclosure is malformed')
  return { name, value: content[2] }
}

/** Finds the disclosure of a digest, which may occur only once in the SD-JWT (RFC 9901 section 7.1 (3) and (4)). */
function takeDisclosure(digest: unknown, { pending, seen }: Processing): Disclosure | undefined {
  ensure(typeof digest === 'string', 'malformed', 'A digest is malformed')
  ensure(!seen.has(digest), 'malformed', 'A digest occurs twice')
  seen.add(digest)
  const disclosure = pending.get(digest)
  pending.delete(digest)
  return disclosure
}

function processValue(value: unknown, processing: Processing, depthLeft: number): unknown {
  if (Array.isArray(value)) return processArray(value, processing, depthLeft)
  return isJsonObject(value) ? processObject(value, processing, depthLeft) : value
}

function processObject(object: JsonObject, processing: Processing, depthLeft: number): JsonObject {
  ensure(depthLeft > 0, 'malformed', 'The SD-JWT is nested too deeply')
  const { _sd: digests = [], ...plain } = object
  ensure(Array.isArray(digests), 'malformed', 'The digests of the SD-JWT are malformed')
  const isClean = !RESERVED_NAMES.some((name) => Object.hasOwn(plain, name))
  ensure(isClean, 'malformed', 'The SD-JWT uses a reserved name')
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(plain)) result[name] = processValue(value, processing, depthLeft - 1)
  const isTopLevel = depthLeft === SD_JWT_MAX_DEPTH
  for (const digest of digests) {
    const disclosure = takeDisclosure(digest, processing)
    if (disclosure === undefined) continue
    const { name, value } = disclosure
    // RFC 9901 section 7.1 (3.c.ii): three elements, and a name that is neither reserved nor in the object.
    ensure(name !== null && !RESERVED_NAMES.includes(name), 'malformed', 'A disclosure has no usable name')
    ensure(!Object.hasOwn(result, name), 'malformed', 'A disclosure overrides a claim')
    ensure(
      !(isTopLevel && processing.plainOnly.includes(name)),
      'malformed',
      'A disclosure hides a claim that must be plain',
    )
    result[name] = processValue(value, processing, depthLeft - 1)
  }
  return result
}

function processArray(items: readonly unknown[], processing: Processing, depthLeft: number): unknown[] {
  ensure(depthLeft > 0, 'malformed', 'The SD-JWT is nested too deeply')
  return items.flatMap((item) => {
    if (!isJsonObject(item) || !Object.hasOwn(item, '...')) return [processValue(item, processing, depthLeft - 1)]
    ensure(Object.keys(item).length === 1, 'malformed', 'The SD-JWT uses a reserved name')
    const disclosure = takeDisclosure(item['...'], processing)
    // RFC 9901 section 7.1 (3.d): elements that are not disclosed are removed.
    if (disclosure === undefined) return []
    ensure(disclosure.name === null, 'malformed', 'The disclosure of an array element has a name')
    return [processValue(disclosure.value, processing, depthLeft - 1)]
  })
}
