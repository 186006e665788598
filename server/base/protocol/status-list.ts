import { constants, deflateSync } from 'node:zlib'
import { invariant } from '../core/invariant'
import { epochSeconds } from './claims'
import type { SigningKey } from './eddsa'
import { encodeBase64url } from './encoding'
import { signDocument } from './jws'
import { STATUS_LIST_MAX_BYTES, STATUS_LIST_REFRESH_SECONDS, STATUS_LIST_TTL_SECONDS } from './lifetimes'

/** The number of bits of each status. */
export type StatusBits = 1 | 2 | 4 | 8

/** Statuses packed into bytes, the first one in the lowest bits of the first byte. */
export interface StatusList {
  readonly bits: StatusBits
  readonly bytes: Uint8Array
}

/** A status list in the form that a token contains. */
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

/**
 * Packs statuses; every index that is not given is valid.
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

/** Returns the status at an index of the list. */
export function statusAt({ bits, bytes }: StatusList, idx: number): number {
  const { byte, shift, mask } = positionOf(idx, bits)
  return ((bytes[byte] ?? 0) >> shift) & mask
}

/**
 * The size from which a list is mostly zeros and is compressed by runs: as small as usual, in a hundredth of the time.
 */
const RUNS_FROM_BYTES = 64 * 1024

/**
 * Compresses and encodes a list.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-4.2}
 */
export function encodeStatusList({ bits, bytes }: StatusList): EncodedStatusList {
  const strategy = bytes.length < RUNS_FROM_BYTES ? constants.Z_DEFAULT_STRATEGY : constants.Z_RLE
  return { bits, lst: encodeBase64url(deflateSync(bytes, { level: constants.Z_BEST_COMPRESSION, strategy })) }
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
}): Promise<string> {
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
  return signDocument({ typ: 'statuslist+jwt', payload, key })
}
