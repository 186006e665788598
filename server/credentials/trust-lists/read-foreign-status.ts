import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../base/core/errors'
import { OutboundFailure } from '../../base/core/outbound-failure'
import type { Platform } from '../../base/core/platform'
import { dateOfEpoch } from '../../base/protocol/claims'
import type { JwsHeader } from '../../base/protocol/eddsa'
import { sha256Base64url } from '../../base/protocol/encoding'
import { ensure, ProtocolError } from '../../base/protocol/errors'
import { FOREIGN_ANSWER_MAX_AGE_SECONDS } from '../../base/protocol/lifetimes'
import type { StatusReference } from '../../base/protocol/presentation'
import { STATUS, type StatusList } from '../../base/protocol/status-list'
import { readStatus, type VerifiedStatusList, verifyStatusListToken } from '../../base/protocol/status-list-token'
import { findOwnStatus } from '../../oauth/mandates'
import { AttestationError } from './attestation-error'
import { isWithin } from './freshness'
import { getIssuerKey } from './get-issuer-key'
import type { TrustedIssuer } from './trusted-issuers'

const MEDIA_TYPE = 'application/statuslist+jwt'
/** The size of all cached lists of a process, inflated. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024

/**
 * Returns the state of a credential from the status list that it names, signed by the same issuer; for a credential of
 * this server from its own records.
 *
 * @throws 503 service_unavailable when it cannot be read: only a credential that is known to be valid is accepted
 */
export async function readForeignStatus(
  platform: Platform,
  issuer: TrustedIssuer,
  reference: StatusReference,
  now: Date,
): Promise<'valid' | 'revoked'> {
  try {
    if (issuer.isOurs) return await readOurs(platform, reference)
    const list = await readList(platform, { issuer, uri: reference.uri, now })
    return toState(readStatus(list, reference.idx))
  } catch (error) {
    const isUnreadable =
      error instanceof ProtocolError || error instanceof OutboundFailure || error instanceof AttestationError
    if (isUnreadable) throw buildUnreadableError(error)
    throw error
  }
}

async function readOurs(platform: Platform, reference: StatusReference): Promise<'valid' | 'revoked'> {
  const state = await findOwnStatus(platform, reference)
  ensure(state !== null, 'malformed', 'The credential names no status list of its issuer')
  return state
}

/** Returns the state of a status value. Throws for the values whose meaning only their issuer knows. */
function toState(status: number): 'valid' | 'revoked' {
  if (status === STATUS.valid) return 'valid'
  const isEnded = status === STATUS.invalid || status === STATUS.suspended
  ensure(isEnded, 'malformed', 'The status has no common meaning')
  return 'revoked'
}

const RETRY_AFTER_SECONDS = 5

function buildUnreadableError(cause: Error): ServiceError {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  const detail = `The status list cannot be read: ${cause.message}`
  return new ServiceError('service_unavailable', 'The status of the credential cannot be read.', {
    cause,
    detail,
    headers,
  })
}

interface CachedList {
  readonly list: StatusList
  readonly fetchedAt: Date
  readonly maxAgeSeconds: number
  readonly expiresAt: Date | null
}

interface Lists {
  readonly kept: LRUCache<string, CachedList>
  readonly fetching: Map<string, Promise<CachedList>>
}
const lists = new WeakMap<Platform, Lists>()

function listsOf(platform: Platform): Lists {
  const known = lists.get(platform)
  if (known !== undefined) return known
  const kept = new LRUCache<string, CachedList>({
    maxSize: CACHE_MAX_BYTES,
    sizeCalculation: ({ list }) => list.bytes.length + 1,
  })
  const fresh = { kept, fetching: new Map<string, Promise<CachedList>>() }
  lists.set(platform, fresh)
  return fresh
}

interface WantedList {
  readonly issuer: TrustedIssuer
  readonly uri: string
  readonly now: Date
}

async function readList(platform: Platform, wanted: WantedList): Promise<StatusList> {
  const { kept, fetching } = listsOf(platform)
  // The key covers all trusted data of the issuer, so that a list verified with a formerly trusted key is not used
  // again.
  const id = sha256Base64url(JSON.stringify([wanted.uri, wanted.issuer]))
  const known = kept.get(id)
  if (known !== undefined && isUsable(known, wanted.now)) return known.list
  const running = fetching.get(id) ?? fetchList(platform, wanted)
  fetching.set(id, running)
  try {
    const fetched = await running
    kept.set(id, fetched)
    return fetched.list
  } finally {
    fetching.delete(id)
  }
}

function isUsable({ fetchedAt, maxAgeSeconds, expiresAt }: CachedList, now: Date): boolean {
  return isWithin(fetchedAt, maxAgeSeconds, now) && (expiresAt === null || now < expiresAt)
}

async function fetchList(platform: Platform, { issuer, uri, now }: WantedList): Promise<CachedList> {
  const { status, body } = await platform.outbound.get(uri, { accept: MEDIA_TYPE })
  ensure(status === 200, 'malformed', 'The status list is not there')
  const verified = await verifyStatusListToken(body.toString('latin1').trim(), {
    uri,
    issuer: issuer.issuer,
    algorithms: issuer.algs,
    findKey: (header) => getIssuerKey(platform, issuer, keyHeaderOf(header), now),
    now,
  })
  return { list: verified.list, fetchedAt: now, ...boundsOf(verified) }
}

function boundsOf({ ttl, expiresAt }: VerifiedStatusList): Pick<CachedList, 'maxAgeSeconds' | 'expiresAt'> {
  return {
    maxAgeSeconds: Math.min(ttl ?? FOREIGN_ANSWER_MAX_AGE_SECONDS, FOREIGN_ANSWER_MAX_AGE_SECONDS),
    expiresAt: expiresAt === null ? null : dateOfEpoch(expiresAt),
  }
}

/** Returns the members of a header that identify its key. */
function keyHeaderOf({ alg, kid, x5c }: JwsHeader) {
  const isChain = Array.isArray(x5c) && x5c.every((entry) => typeof entry === 'string')
  return { alg, ...(kid !== undefined && { kid }), ...(isChain && { x5c }) }
}
