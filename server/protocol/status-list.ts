import type { KeyObject } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { invariant } from '../core/invariant'
import { epochSeconds, readOptionalTime, readText, readTime } from './claims'
import { decodeBase64url, encodeBase64url, isJsonObject, type JsonObject } from './encoding'
import { ensure, ProtocolError, refusingAs } from './errors'
import { decodeJws, type JwsAlgorithm, type SigningKey, signJws, verifyJws } from './jws'
import {
  CLOCK_SKEW_SECONDS,
  STATUS_LIST_MAX_BYTES,
  STATUS_LIST_REFRESH_SECONDS,
  STATUS_LIST_TOKEN_MAX_BYTES,
  STATUS_LIST_TTL_SECONDS,
  URI_MAX_CHARS,
} from './lifetimes'

/** How many bits each status takes. */
export type StatusBits = 1 | 2 | 4 | 8

/** Statuses packed into bytes, the first one in the lowest bits of the first byte. */
export interface StatusList {
  readonly bits: StatusBits
  readonly bytes: Uint8Array
}

/** A status list as it stands in a token. */
export interface EncodedStatusList {
  readonly bits: StatusBits
  readonly lst: string
}

/**
 * The status types in use.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-7.1}
 */
export const STATUS = { valid: 0, invalid: 1, suspended: 2 } as const

const STATUS_LIST_TYPE = 'statuslist+jwt'

/**
 * Packs statuses; every index that is not named is valid.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-4.1}
 */
export function packStatusList(input: {
  readonly bits: StatusBits
  readonly size: number
  readonly entries: Iterable<readonly [idx: number, status: number]>
}): StatusList {
  const { bits, size, entries } = input
  const bytes = new Uint8Array(Math.ceil((size * bits) / 8))
  invariant(bytes.length <= STATUS_LIST_MAX_BYTES, 'a status list is not larger than a verifier will inflate')
  for (const [idx, status] of entries) {
    invariant(Number.isInteger(idx) && idx >= 0 && idx < size, 'a status has an index within the list')
    invariant(Number.isInteger(status) && status >= 0 && status < 2 ** bits, 'a status fits its bits')
    const { byte, shift, mask } = positionOf(idx, bits)
    bytes[byte] = ((bytes[byte] ?? 0) & ~(mask << shift)) | (status << shift)
  }
  return { bits, bytes }
}

function positionOf(idx: number, bits: StatusBits): { byte: number; shift: number; mask: number } {
  const perByte = 8 / bits
  return { byte: Math.floor(idx / perByte), shift: (idx % perByte) * bits, mask: 2 ** bits - 1 }
}

/**
 * Reads one status; an index outside the list is refused.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-8.3}
 */
export function statusAt({ bits, bytes }: StatusList, idx: number): number {
  const { byte, shift, mask } = positionOf(idx, bits)
  const value = Number.isInteger(idx) ? bytes[byte] : undefined
  ensure(value !== undefined, 'malformed', 'The index is outside the status list')
  return (value >> shift) & mask
}

/**
 * Compresses and encodes a list.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-4.2}
 */
export function encodeStatusList({ bits, bytes }: StatusList): EncodedStatusList {
  return { bits, lst: encodeBase64url(deflateSync(bytes, { level: 9 })) }
}

/** Decodes and inflates a list, but never beyond the bound for its size. */
export function decodeStatusList(value: unknown): StatusList {
  ensure(isJsonObject(value), 'malformed', 'The status list is malformed')
  const { bits } = value
  const hasBits = bits === 1 || bits === 2 || bits === 4 || bits === 8
  ensure(hasBits, 'malformed', 'The bits of the status list are not supported')
  const compressed = decodeBase64url(readText(value, 'lst', STATUS_LIST_TOKEN_MAX_BYTES))
  return { bits, bytes: inflate(compressed) }
}

function inflate(compressed: Buffer): Uint8Array {
  try {
    return inflateSync(compressed, { maxOutputLength: STATUS_LIST_MAX_BYTES })
  } catch {
    throw new ProtocolError('malformed', 'The status list cannot be inflated')
  }
}

/**
 * Signs a status list as a token for its URI.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-5.1}
 */
export function signStatusListToken(input: {
  readonly uri: string
  readonly issuer: string
  readonly list: StatusList
  readonly now: Date
  readonly key: SigningKey
  readonly aggregationUri?: string
}): string {
  const { uri, issuer, list, now, key, aggregationUri } = input
  const iat = epochSeconds(now)
  const payload = {
    iss: issuer,
    sub: uri,
    iat,
    exp: iat + STATUS_LIST_TTL_SECONDS,
    ttl: STATUS_LIST_REFRESH_SECONDS,
    status_list: {
      ...encodeStatusList(list),
      ...(aggregationUri !== undefined && { aggregation_uri: aggregationUri }),
    },
  }
  return signJws({ header: { typ: STATUS_LIST_TYPE }, payload, key })
}

/** What a status list token is verified with. */
export interface StatusListVerification {
  /** The `uri` of the credential's status claim. */
  readonly uri: string
  readonly now: Date
  readonly algorithms: readonly JwsAlgorithm[]
  readonly findKey: (kid: string | undefined) => KeyObject | undefined
}

/** A status list out of a verified token. */
export interface VerifiedStatusList {
  readonly list: StatusList
  readonly claims: JsonObject
}

/**
 * Verifies a status list token and unpacks its list; every refusal is `invalid_signature`, so that a caller can fail
 * closed.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-8.3}
 */
export function verifyStatusListToken(token: string, expected: StatusListVerification): VerifiedStatusList {
  return refusingAs('invalid_signature', () => {
    const jws = decodeJws(token, { maxBytes: STATUS_LIST_TOKEN_MAX_BYTES })
    ensure(jws.header.typ === STATUS_LIST_TYPE, 'malformed', 'The typ of the status list is not statuslist+jwt')
    const key = expected.findKey(jws.header.kid)
    ensure(key, 'malformed', 'The status list is not signed by a known key')
    verifyJws(jws, { key, algorithms: expected.algorithms })
    const claims = jws.payload
    const now = epochSeconds(expected.now)
    ensure(readText(claims, 'sub', URI_MAX_CHARS) === expected.uri, 'malformed', 'The status list is another one')
    ensure(readTime(claims, 'iat') <= now + CLOCK_SKEW_SECONDS, 'malformed', 'The status list lies in the future')
    const exp = readOptionalTime(claims, 'exp')
    ensure(exp === undefined || exp > now, 'malformed', 'The status list has expired')
    return { list: decodeStatusList(claims['status_list']), claims }
  })
}
