import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'

/** The client and the Idempotency-Key of a reply. */
interface ReplyKey {
  readonly clientId: string
  /** The Idempotency-Key. */
  readonly key: string
}

interface Reservation {
  readonly bodyDigest: string
  readonly jkt: string
  readonly leaseSeconds: number
  readonly now: Date
  readonly expiresAt: Date
}

/** A key that a request holds until its lease expires and another request takes it. */
export interface HeldKey extends ReplyKey {
  /** The expiry of the lease as the database formats it; a later holder has another. */
  readonly lease: string
}

/**
 * Takes the key when no request holds it, or when its reply or the lease of its request has expired; returns null
 * otherwise. Leases use the database's clock, so that a server whose own is ahead cannot take a key that is in use.
 */
export async function reserveKey(db: Queryable, reply: ReplyKey, reservation: Reservation): Promise<HeldKey | null> {
  const { clientId, key } = reply
  const { bodyDigest, jkt, leaseSeconds, now, expiresAt } = reservation
  const [row] = await db.query<{ lease: string }>(
    sql`INSERT INTO idempotent_replies AS r (client_id, idempotency_key, body_digest, jkt, lease_until, expires_at)
     VALUES (${clientId}, ${key}, ${bodyDigest}, ${jkt}, clock_timestamp() + make_interval(secs => ${leaseSeconds}), ${expiresAt})
     ON CONFLICT (client_id, idempotency_key) DO UPDATE
       SET body_digest = excluded.body_digest, jkt = excluded.jkt, family_id = NULL, sealed_reply = NULL,
           lease_until = excluded.lease_until, expires_at = excluded.expires_at
       WHERE r.expires_at <= ${now} OR (r.sealed_reply IS NULL AND r.lease_until <= clock_timestamp())
     RETURNING lease_until::text AS lease`,
  )
  return row === undefined ? null : { ...reply, lease: row.lease }
}

const isHeld = ({ clientId, key, lease }: HeldKey) =>
  sql`client_id = ${clientId} AND idempotency_key = ${key} AND lease_until = ${lease}::timestamptz AND sealed_reply IS NULL`

interface SealedReply {
  readonly sealedReply: string
  readonly familyId: string
}

/** Saves the reply; returns false when another request has taken the key meanwhile. */
export async function saveReply(tx: Transaction, key: HeldKey, reply: SealedReply): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE idempotent_replies SET sealed_reply = ${reply.sealedReply}, family_id = ${reply.familyId}
      WHERE ${isHeld(key)} RETURNING client_id`,
  )
  return rows.length === 1
}

/** Releases a key whose request has failed, unless another request has taken it meanwhile. */
export async function releaseKey(db: Queryable, key: HeldKey): Promise<void> {
  await db.query(sql`DELETE FROM idempotent_replies WHERE ${isHeld(key)}`)
}

type ReplyRow = Row<'IdempotentReply', 'body_digest' | 'jkt' | 'sealed_reply'> & {
  /** Whether the tokens in the reply have been revoked. */
  revoked: boolean
  /** Whether the person has since been erased or restricted processing. */
  barred: boolean
}

export async function findReply(db: Queryable, clientId: string, key: string): Promise<ReplyRow | null> {
  const [row] = await db.query<ReplyRow>(
    sql`SELECT r.body_digest, r.jkt, r.sealed_reply, coalesce(f.revoked_at IS NOT NULL, false) AS revoked,
            (p.erased OR p.processing_restricted) AS barred
       FROM idempotent_replies r JOIN agents c ON c.id = r.client_id JOIN principal_profiles p ON p.id = c.principal_id
       LEFT JOIN token_families f ON f.id = r.family_id
      WHERE r.client_id = ${clientId} AND r.idempotency_key = ${key}`,
  )
  return row ?? null
}

/** Deletes expired replies. */
export function sweepIdempotentReplies(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM idempotent_replies WHERE (client_id, idempotency_key) IN
       (SELECT client_id, idempotency_key FROM idempotent_replies
         WHERE ${oldestSql(sql`expires_at`, sweptBefore('tokenReplies', now))})`,
  )
}

/** The id of a row; unique, because client ids contain no blanks. */
const rowId = sql`client_id || ' ' || idempotency_key`

export const listSealedReplies: SealedColumn['list'] = (db, query) =>
  db.query<SealedRow>(
    sql`SELECT ${rowId} AS id, sealed_reply AS sealed FROM idempotent_replies
      WHERE ${sealedOtherwiseSql(sql`sealed_reply`, query)} LIMIT ${query.limit}`,
  )

export const replaceSealedReply: SealedColumn['replace'] = (db, { id, sealed }, resealed) =>
  db.query(
    sql`UPDATE idempotent_replies SET sealed_reply = ${resealed} WHERE ${rowId} = ${id} AND sealed_reply = ${sealed}`,
  )
