import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import type { REPLIES_KEPT_SECONDS } from './contract'

/** The key of a stored answer: the person, the right, and the hash of the Idempotency-Key. */
export interface ReplyKey {
  readonly principalId: string
  readonly kind: keyof typeof REPLIES_KEPT_SECONDS
  readonly keyHash: string
}

interface Reservation {
  readonly bodyDigest: string
  readonly leaseSeconds: number
  readonly now: Date
  readonly expiresAt: Date
}

/** A key that a request holds until its lease ends and another takes it. */
export interface HeldKey extends ReplyKey {
  /** The end of the lease, as the database writes it; it differs for a later holder. */
  readonly lease: string
}

/**
 * Reserves the key when no request holds it, or its answer or lease has expired; null otherwise. Leases use the
 * database's clock: a server whose own clock is fast must not take the key of a running request.
 */
export async function reserveKey(db: Queryable, key: ReplyKey, reservation: Reservation): Promise<HeldKey | null> {
  const { bodyDigest, leaseSeconds, now, expiresAt } = reservation
  const [row] = await db.query<{ lease: string }>(
    sql`INSERT INTO privacy_replies AS r (principal_id, kind, key_hash, body_digest, lease_until, expires_at)
     VALUES (${key.principalId}, ${key.kind}, ${key.keyHash}, ${bodyDigest},
             clock_timestamp() + make_interval(secs => ${leaseSeconds}), ${expiresAt})
     ON CONFLICT (principal_id, kind, key_hash) DO UPDATE
       SET body_digest = excluded.body_digest, sealed_reply = NULL, lease_until = excluded.lease_until,
           expires_at = excluded.expires_at
       WHERE r.expires_at <= ${now} OR (r.sealed_reply IS NULL AND r.lease_until <= clock_timestamp())
     RETURNING lease_until::text AS lease`,
  )
  return row === undefined ? null : { ...key, lease: row.lease }
}

const isKey = ({ principalId, kind, keyHash }: ReplyKey) =>
  sql`principal_id = ${principalId} AND kind = ${kind} AND key_hash = ${keyHash}`

const isHeld = (key: HeldKey) => sql`${isKey(key)} AND lease_until = ${key.lease}::timestamptz AND sealed_reply IS NULL`

/** Stores the answer; false when another request has taken the key meanwhile. */
export async function saveReply(tx: Queryable, key: HeldKey, sealedReply: string): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE privacy_replies SET sealed_reply = ${sealedReply} WHERE ${isHeld(key)} RETURNING key_hash`,
  )
  return rows.length === 1
}

/** Deletes a key whose request has failed, unless another request has taken it meanwhile. */
export async function releaseKey(db: Queryable, key: HeldKey): Promise<void> {
  await db.query(sql`DELETE FROM privacy_replies WHERE ${isHeld(key)}`)
}

export async function findReply(
  db: Queryable,
  key: ReplyKey,
  now: Date,
): Promise<Row<'PrivacyReply', 'body_digest' | 'sealed_reply'> | null> {
  const [row] = await db.query<Row<'PrivacyReply', 'body_digest' | 'sealed_reply'>>(
    sql`SELECT body_digest, sealed_reply FROM privacy_replies WHERE ${isKey(key)} AND expires_at > ${now}`,
  )
  return row ?? null
}

/** Deletes answers that have expired. */
export function sweepPrivacyReplies(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('privacyReplies', now)
  return countSwept(
    db,
    sql`DELETE FROM privacy_replies WHERE (principal_id, kind, key_hash) IN
       (SELECT principal_id, kind, key_hash FROM privacy_replies WHERE ${oldestSql(sql`expires_at`, before)})`,
  )
}

/** Deletes the person's stored answers. */
export async function eraseReplies(tx: Queryable, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM privacy_replies WHERE principal_id = ${principalId}`)
}

/** Returns the id of a stored answer; none of its three parts contains a blank. */
export const replyId = ({ principalId, kind, keyHash }: ReplyKey): string => `${principalId} ${kind} ${keyHash}`
const rowId = sql`principal_id || ' ' || kind || ' ' || key_hash`

export const listSealedReplies: SealedColumn['list'] = (db, query) =>
  db.query<SealedRow>(
    sql`SELECT ${rowId} AS id, sealed_reply AS sealed FROM privacy_replies
      WHERE ${sealedOtherwiseSql(sql`sealed_reply`, query)} LIMIT ${query.limit}`,
  )

export const replaceSealedReply: SealedColumn['replace'] = (db, { id, sealed }, resealed) =>
  db.query(
    sql`UPDATE privacy_replies SET sealed_reply = ${resealed} WHERE ${rowId} = ${id} AND sealed_reply = ${sealed}`,
  )
