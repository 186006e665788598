import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { epochSeconds, readOptionalTime, readTime } from './claims'
import { decodeJws, hasType, type JwsHeader } from './eddsa'
import { decodeBase64url, isJsonObject } from './encoding'
import { ensure, ProtocolError } from './errors'
import { verifyJws } from './jws'
import { CLOCK_SKEW_SECONDS, FOREIGN_ANSWER_MAX_BYTES, FOREIGN_STATUS_LIST_MAX_BYTES } from './lifetimes'
import type { StatusBits, StatusList } from './status-list'

/** The address, issuer, key and time that a status list of another issuer must match. */
export interface StatusListVerification {
  /** The address from which the list was fetched, and by which credentials refer to it. */
  readonly uri: string
  readonly issuer: string
  readonly algorithms: readonly string[]
  readonly findKey: (header: JwsHeader) => Promise<KeyObject>
  readonly now: Date
}

/** A status list that its issuer signed. */
export interface VerifiedStatusList {
  readonly list: StatusList
  /** The expiry in seconds since 1970; null when it has none. */
  readonly expiresAt: number | null
  /** The seconds for which it may be reused; null when it names none. */
  readonly ttl: number | null
}

/**
 * Verifies a status list token: type, signature, subject, issuer and time; inflates the list up to a limit. Refusals
 * are `malformed` and `invalid_signature`.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-8.3}
 */
export async function verifyStatusListToken(
  token: string,
  { uri, issuer, algorithms, findKey, now }: StatusListVerification,
): Promise<VerifiedStatusList> {
  const jws = decodeJws(token, { maxBytes: FOREIGN_ANSWER_MAX_BYTES })
  ensure(hasType(jws.header, 'statuslist+jwt'), 'malformed', 'The typ of the status list is not statuslist+jwt')
  ensure(algorithms.includes(jws.header.alg), 'invalid_signature', 'The alg of the status list is not accepted')
  await verifyJws(jws, { key: await findKey(jws.header), algorithms })
  const claims = jws.payload
  ensure(claims['sub'] === uri, 'malformed', 'The status list is for another address')
  ensure(claims['iss'] === undefined || claims['iss'] === issuer, 'malformed', 'The status list is of another issuer')
  const seconds = epochSeconds(now)
  ensure(readTime(claims, 'iat') <= seconds + CLOCK_SKEW_SECONDS, 'malformed', 'The status list is from the future')
  const expiresAt = readOptionalTime(claims, 'exp') ?? null
  ensure(expiresAt === null || expiresAt > seconds, 'malformed', 'The status list has expired')
  const ttl = readOptionalTime(claims, 'ttl') ?? null
  ensure(ttl !== 0, 'malformed', 'The ttl of the status list is not positive')
  return { list: await readList(claims['status_list']), expiresAt, ttl }
}

const SIZES: readonly unknown[] = [1, 2, 4, 8] satisfies StatusBits[]
const isStatusBits = (bits: unknown): bits is StatusBits => SIZES.includes(bits)

async function readList(value: unknown): Promise<StatusList> {
  ensure(isJsonObject(value), 'malformed', 'The token holds no status list')
  const { bits, lst } = value
  ensure(isStatusBits(bits) && typeof lst === 'string', 'malformed', 'The status list is malformed')
  return { bits, bytes: await inflateBounded(decodeBase64url(lst)) }
}

const inflateLater = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate)

/** Inflates outside the main thread, since a few kilobytes may become many megabytes. */
async function inflateBounded(bytes: Uint8Array): Promise<Buffer> {
  try {
    return await inflateLater(bytes, { maxOutputLength: FOREIGN_STATUS_LIST_MAX_BYTES })
  } catch {
    throw new ProtocolError('malformed', 'The status list is not compressed with zlib, or is too large')
  }
}

/**
 * Returns the status at an index of a list.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-4}
 */
export function readStatus({ bits, bytes }: StatusList, idx: number): number {
  const byte = bytes[Math.floor((idx * bits) / 8)]
  const isWithin = Number.isSafeInteger(idx) && idx >= 0 && byte !== undefined
  ensure(isWithin, 'malformed', 'The index is not within the status list')
  return (byte >> ((idx * bits) % 8)) & (2 ** bits - 1)
}
