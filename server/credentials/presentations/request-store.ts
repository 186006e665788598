import type { Database, Platform, Queryable, Sealer, Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import type { DcqlQuery } from '../../base/protocol/dcql'
import { UNREADABLE_RESPONSES_MAX } from '../../base/protocol/lifetimes'
import type { ResponseKey } from '../../base/protocol/request-object'
import type { VerifiedPresentations } from './verify-contract'

/** The content of a request, with the key for its response; sealed at rest. */
export interface PresentationRequest {
  /** The client_id with which the wallet app was asked; responses are bound to it. */
  readonly clientId: string
  readonly nonce: string
  readonly state: string
  readonly query: DcqlQuery
  /** The transaction data in the form that the wallet app hashes; empty without any. */
  readonly transactionData: readonly string[]
  /**
   * Whether the wallet app has to say how it authenticated its holder; absent in requests that were stored before this
   * member was introduced.
   */
  readonly needsStrongAuthentication?: boolean
  readonly jkt: string | null
  /** The region whose issuers are trusted; null for those of all regions. */
  readonly region: string | null
  /** The key that the response is encrypted to; null when it is sent in clear (`direct_post`). */
  readonly responseKey: ResponseKey | null
}

/** Returns the response mode of a request (OpenID4VP sections 8.2 and 8.3.1). */
export function responseModeOf({ responseKey }: Pick<PresentationRequest, 'responseKey'>): string {
  return responseKey === null ? 'direct_post' : 'direct_post.jwt'
}

/** How a request ended; sealed at rest. */
export type Outcome =
  | { readonly status: 'verified'; readonly result: VerifiedPresentations }
  | { readonly status: 'rejected'; readonly error: string; readonly description: string | null }

/** The purpose of a request that a person made in the portal. */
export type AskedFor = 'age' | 'approval'

/** The person who made a request in the portal, and its purpose. */
export interface AskedPerson {
  readonly principalId: string
  readonly purpose: AskedFor
  /** The authorization_id of the approval that the response decides; for a proof of age, the age in years. */
  readonly subjectId: string | null
}

/** An unexpired request without a response. */
export interface PendingRequest {
  readonly id: string
  readonly expiresAt: Date
  readonly request: PresentationRequest
  /** Null for requests over HTTP. */
  readonly asked: AskedPerson | null
}

/** A request as its maker sees it. */
export interface RecordedRequest {
  readonly ownerId: string | null
  /** Null for requests over HTTP. */
  readonly asked: AskedPerson | null
  readonly status: 'pending' | 'verifying' | 'verified' | 'rejected'
  readonly expiresAt: Date
  readonly request: PresentationRequest
  readonly outcome: Outcome | null
}

const requestContext = (id: string): string => `presentation-request/${id}`
const outcomeContext = (id: string): string => `presentation-outcome/${id}`

function seal(sealer: Sealer, value: object, context: string): string {
  return sealer.seal(Buffer.from(JSON.stringify(value)), context)
}

function unseal<Value>(sealer: Sealer, sealed: string, context: string): Value {
  return JSON.parse(sealer.open(sealed, context).toString()) as Value
}

interface NewRequest extends PendingRequest {
  readonly ownerId: string | null
  readonly now: Date
}

export async function insertRequest({ db, sealer }: Platform, created: NewRequest): Promise<void> {
  const { id, ownerId, asked, request, now, expiresAt } = created
  const { principalId = null, purpose = null, subjectId = null } = asked ?? {}
  await db.query(
    sql`INSERT INTO presentation_requests
       (id, owner_id, sealed_request, status, created_at, expires_at, principal_id, purpose, subject_id)
     VALUES (${id}, ${ownerId}, ${seal(sealer, request, requestContext(id))}, 'pending', ${now}, ${expiresAt},
       ${principalId}, ${purpose}, ${subjectId})`,
  )
}

type AskedColumns = Row<'PresentationRequest', 'principal_id' | 'purpose' | 'subject_id', { purpose: AskedFor | null }>

function toAskedPerson({
  principal_id: principalId,
  purpose,
  subject_id: subjectId,
}: AskedColumns): AskedPerson | null {
  return principalId === null || purpose === null ? null : { principalId, purpose, subjectId }
}

/** Returns a pending request; null when it is unknown, expired or answered. */
export async function findPendingRequest(
  { db, sealer }: Platform,
  id: string,
  now: Date,
): Promise<PendingRequest | null> {
  const [row] = await db.query<Row<'PresentationRequest', 'sealed_request' | 'expires_at'> & AskedColumns>(
    sql`SELECT sealed_request, expires_at, principal_id, purpose, subject_id FROM presentation_requests
      WHERE id = ${id} AND status = 'pending' AND expires_at > ${now}`,
  )
  if (row === undefined) return null
  const request = unseal<PresentationRequest>(sealer, row.sealed_request, requestContext(id))
  return { id, expiresAt: row.expires_at, request, asked: toAskedPerson(row) }
}

/** Returns the ids of the person's pending requests from the portal. */
export async function listPendingRequests(db: Queryable, principalId: string, now: Date): Promise<readonly string[]> {
  const rows = await db.query<Row<'PresentationRequest', 'id'>>(
    sql`SELECT id FROM presentation_requests
         WHERE principal_id = ${principalId} AND status = 'pending' AND expires_at > ${now} ORDER BY id`,
  )
  return rows.map(({ id }) => id)
}

/** Marks a request as answered; false when it has had a response, or has expired. */
export async function consumeRequest(db: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE presentation_requests SET status = 'verifying'
      WHERE id = ${id} AND status = 'pending' AND expires_at > ${now} RETURNING id`,
  )
  return rows.length === 1
}

/** Records the outcome of the response that was taken. */
export async function recordOutcome(
  { db, sealer }: OutcomeWriter,
  id: string,
  { outcome, now }: Ending,
): Promise<void> {
  await db.query(
    sql`UPDATE presentation_requests SET status = ${outcome.status}, ended_at = ${now},
        sealed_outcome = ${seal(sealer, outcome, outcomeContext(id))}
      WHERE id = ${id} AND status = 'verifying'`,
  )
}

interface OutcomeWriter {
  readonly db: Queryable
  readonly sealer: Sealer
}

interface Ending {
  readonly outcome: Outcome
  readonly now: Date
}

/**
 * Counts a response that could not be read. The last allowed one ends the request with this outcome. False when the
 * request has already ended.
 */
export async function countFailedAttempt(
  { db, sealer }: Platform,
  id: string,
  { outcome, now }: Ending,
): Promise<boolean> {
  const sealed = seal(sealer, outcome, outcomeContext(id))
  const rows = await db.query(
    sql`UPDATE presentation_requests SET failed_attempts = failed_attempts + 1,
        status = CASE WHEN failed_attempts + 1 >= ${UNREADABLE_RESPONSES_MAX}::int THEN ${outcome.status} ELSE status END,
        ended_at = CASE WHEN failed_attempts + 1 >= ${UNREADABLE_RESPONSES_MAX}::int THEN ${now}::timestamptz END,
        sealed_outcome = CASE WHEN failed_attempts + 1 >= ${UNREADABLE_RESPONSES_MAX}::int THEN ${sealed}::text END
      WHERE id = ${id} AND status = 'pending' AND expires_at > ${now} RETURNING id`,
  )
  return rows.length === 1
}

/** Returns a request; null when it is unknown, or ended more than a day ago. */
export async function findRecordedRequest(
  { db, sealer }: Platform,
  id: string,
  now: Date,
): Promise<RecordedRequest | null> {
  type Columns = Row<
    'PresentationRequest',
    'owner_id' | 'status' | 'sealed_request' | 'sealed_outcome' | 'expires_at',
    { status: RecordedRequest['status'] }
  > &
    AskedColumns
  const [row] = await db.query<Columns>(
    sql`SELECT owner_id, status, sealed_request, sealed_outcome, expires_at, principal_id, purpose, subject_id
      FROM presentation_requests
      WHERE id = ${id} AND coalesce(ended_at, expires_at) >= ${sweptBefore('presentationRequests', now)}`,
  )
  if (row === undefined) return null
  return {
    ownerId: row.owner_id,
    asked: toAskedPerson(row),
    status: row.status,
    expiresAt: row.expires_at,
    request: unseal(sealer, row.sealed_request, requestContext(id)),
    outcome: row.sealed_outcome === null ? null : unseal(sealer, row.sealed_outcome, outcomeContext(id)),
  }
}

/** Deletes the person's requests from the portal, with what they presented. */
export async function eraseAskedRequests(tx: Transaction, { principalId }: Pick<AskedPerson, 'principalId'>) {
  await tx.query(sql`DELETE FROM presentation_requests WHERE principal_id = ${principalId}`)
}

/** Deletes requests a day after their end, with what was presented. */
export function sweepPresentationRequests(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('presentationRequests', now)
  return countSwept(
    db,
    sql`DELETE FROM presentation_requests WHERE id IN
       (SELECT id FROM presentation_requests WHERE ${oldestSql(sql`coalesce(ended_at, expires_at)`, before)})`,
  )
}

/** The contents of requests. */
export const sealedPresentationRequests: SealedColumn = {
  what: 'presentation requests',
  contextOf: requestContext,
  list: (db, query) =>
    db.query<SealedRow>(
      sql`SELECT id, sealed_request AS sealed FROM presentation_requests
        WHERE ${sealedOtherwiseSql(sql`sealed_request`, query)} LIMIT ${query.limit}`,
    ),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE presentation_requests SET sealed_request = ${resealed} WHERE id = ${id} AND sealed_request = ${sealed}`,
    ),
}

/** The outcomes of requests. */
export const sealedPresentationOutcomes: SealedColumn = {
  what: 'outcomes of presentation requests',
  contextOf: outcomeContext,
  list: (db, query) =>
    db.query<SealedRow>(
      sql`SELECT id, sealed_outcome AS sealed FROM presentation_requests
        WHERE ${sealedOtherwiseSql(sql`sealed_outcome`, query)} LIMIT ${query.limit}`,
    ),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE presentation_requests SET sealed_outcome = ${resealed} WHERE id = ${id} AND sealed_outcome = ${sealed}`,
    ),
}
