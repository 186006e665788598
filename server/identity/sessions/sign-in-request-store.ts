import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import { SIGN_IN_TRIES_MAX } from './contract'
import type { NewSession } from './store'

export interface NewSignInRequest {
  readonly id: string
  readonly browserHash: string
  readonly sealedEmail: string
  readonly now: Date
  readonly expiresAt: Date
}

export async function insertSignInRequest(tx: Queryable, request: NewSignInRequest): Promise<void> {
  const { id, browserHash, sealedEmail, now, expiresAt } = request
  await tx.query(
    sql`INSERT INTO sign_in_requests (id, browser_hash, sealed_email, created_at, expires_at)
        VALUES (${id}, ${browserHash}, ${sealedEmail}, ${now}, ${expiresAt})`,
  )
}

/** Locks a request whose link is still to be mailed, and returns its sealed address; null when there is none. */
export async function lockUnmailedRequest(
  tx: Queryable,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<string | null> {
  const [row] = await tx.query<{ sealed_email: string }>(
    sql`SELECT sealed_email FROM sign_in_requests
         WHERE id = ${id} AND sealed_email IS NOT NULL AND expires_at > ${now} FOR UPDATE`,
  )
  return row?.sealed_email ?? null
}

/** A request whose link is not mailed yet, so that it holds the address alone. */
interface UnmailedRequest {
  readonly id: string
  readonly sealed_email: string
}

/** Locks and returns all requests whose links are still to be mailed, but for those that a job is mailing now. */
export function lockUnmailedRequests(tx: Queryable): Promise<UnmailedRequest[]> {
  return tx.query<UnmailedRequest>(
    sql`SELECT id, sealed_email FROM sign_in_requests WHERE sealed_email IS NOT NULL FOR UPDATE SKIP LOCKED`,
  )
}

/** Saves the person and the token of the link for a request, and deletes the address. */
export async function answerSignInRequest(
  tx: Queryable,
  id: string,
  { principalId, tokenHash }: { readonly principalId: string; readonly tokenHash: string },
): Promise<void> {
  await tx.query(
    sql`UPDATE sign_in_requests SET principal_id = ${principalId}, token_hash = ${tokenHash}, sealed_email = NULL WHERE id = ${id}`,
  )
}

export async function deleteSignInRequest(tx: Queryable, id: string): Promise<void> {
  await tx.query(sql`DELETE FROM sign_in_requests WHERE id = ${id}`)
}

/** A request whose link still signs in, with the address that it was mailed to. */
export type OpenSignInRequest = Row<'SignInRequest', 'id' | 'browser_hash'> & { readonly email: string | null }

/**
 * Returns the request of a link that still signs in; null for an unknown, used or expired link, one whose tries are
 * used up, and one of an erased person.
 */
export async function findOpenRequest(db: Queryable, tokenHash: string, now: Date): Promise<OpenSignInRequest | null> {
  const [row] = await db.query<OpenSignInRequest>(
    sql`SELECT r.id, r.browser_hash, p.email FROM sign_in_requests r JOIN principal_profiles p ON p.id = r.principal_id
         WHERE r.token_hash = ${tokenHash} AND r.consumed_at IS NULL AND r.expires_at > ${now}
           AND r.tries < ${SIGN_IN_TRIES_MAX} AND NOT p.erased`,
  )
  return row ?? null
}

/**
 * Counts one try of the code before it is compared, so that parallel tries cannot exceed the limit. False when none is
 * left.
 */
export async function takeTry(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE sign_in_requests SET tries = tries + 1 WHERE id = ${id} AND tries < ${SIGN_IN_TRIES_MAX} RETURNING id`,
  )
  return rows.length === 1
}

/**
 * Consumes a request and opens a session of its person in one statement: of parallel uses one wins. Returns whether
 * this call won.
 */
export async function consumeSignInRequest(db: Queryable, id: string, session: NewSession): Promise<boolean> {
  const rows = await db.query(
    sql`WITH used AS (
       UPDATE sign_in_requests SET consumed_at = ${session.now}
        WHERE id = ${id} AND consumed_at IS NULL AND expires_at > ${session.now} RETURNING principal_id)
     INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at, method, device)
     SELECT ${session.id}, p.id, ${session.now}, ${session.now}, ${session.expiresAt}, 'magic_link', ${session.device}
       FROM used JOIN active_principals p ON p.id = used.principal_id
     RETURNING id`,
  )
  return rows.length === 1
}

/** Deletes requests for links that have expired. */
export function sweepSignInRequests(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('signInRequests', now)
  return countSwept(
    db,
    sql`DELETE FROM sign_in_requests WHERE id IN
       (SELECT id FROM sign_in_requests WHERE ${oldestSql(sql`expires_at`, before)})`,
  )
}

export const listSealedAddresses: SealedColumn['list'] = (db, query) =>
  db.query<SealedRow>(
    sql`SELECT id, sealed_email AS sealed FROM sign_in_requests
      WHERE ${sealedOtherwiseSql(sql`sealed_email`, query)} LIMIT ${query.limit}`,
  )

export const replaceSealedAddress: SealedColumn['replace'] = (db, { id, sealed }, resealed) =>
  db.query(sql`UPDATE sign_in_requests SET sealed_email = ${resealed} WHERE id = ${id} AND sealed_email = ${sealed}`)
