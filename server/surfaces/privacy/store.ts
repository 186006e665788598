import type { WalletActor } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { type PrivacyResult, type PrivacyRight, REQUESTS_PER_DAY } from './contract'

interface NewRequest {
  readonly id: string
  readonly principalId: string
  readonly kind: PrivacyRight
  readonly result: PrivacyResult
  readonly via: WalletActor['via']
  /** Start and end of the UTC day on which the request is counted. */
  readonly day: { readonly from: Date; readonly to: Date }
  readonly now: Date
}

/**
 * Stores a request unless the day's of this way are used up. Returns whether it was stored. The caller holds the person's
 * lock, so that parallel requests are counted.
 */
export async function insertRequest(tx: Queryable, request: NewRequest): Promise<boolean> {
  const { principalId, kind, via, day } = request
  const rows = await tx.query(
    sql`INSERT INTO privacy_requests (id, principal_id, kind, result, requested_at, completed_at, via)
     SELECT ${request.id}, ${principalId}, ${kind}, ${request.result}, ${request.now},
            CASE WHEN ${request.result}::text <> 'queued' THEN ${request.now}::timestamptz END, ${via}
      WHERE (SELECT count(*) FROM privacy_requests r WHERE r.principal_id = ${principalId} AND r.kind = ${kind}
                AND r.via = ${via} AND r.requested_at >= ${day.from} AND r.requested_at < ${day.to}) < ${REQUESTS_PER_DAY}
     RETURNING id`,
  )
  return rows.length === 1
}

export type RequestRow = Row<
  'PrivacyRequest',
  'id' | 'principal_id' | 'kind' | 'result' | 'requested_at' | 'completed_at',
  { kind: PrivacyRight; result: PrivacyResult }
>

/** Returns the person's requests, newest first. */
export function listRequests(db: Queryable, principalId: string): Promise<RequestRow[]> {
  return db.query<RequestRow>(
    sql`SELECT id, principal_id, kind, result, requested_at, completed_at FROM privacy_requests
      WHERE principal_id = ${principalId} ORDER BY requested_at DESC, id LIMIT 1000`,
  )
}

/** Marks the person's requests for restriction as lifted. */
export async function markLifted(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(
    sql`UPDATE privacy_requests SET result = 'lifted' WHERE principal_id = ${principalId} AND kind = 'restriction'
        AND result = 'restricted'`,
  )
}

interface Completion {
  readonly id: string
  readonly result: PrivacyResult
  readonly now: Date
}

export async function completeRequest(tx: Queryable, { id, result, now }: Completion): Promise<void> {
  await tx.query(sql`UPDATE privacy_requests SET result = ${result}, completed_at = ${now} WHERE id = ${id}`)
}

/** Returns the request while it is under way; null when it is done or unknown. */
export async function findQueuedRequest(db: Queryable, id: string): Promise<RequestRow | null> {
  const [row] = await db.query<RequestRow>(
    sql`SELECT id, principal_id, kind, result, requested_at, completed_at FROM privacy_requests
      WHERE id = ${id} AND completed_at IS NULL`,
  )
  return row ?? null
}
