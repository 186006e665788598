import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type Stop, stopSql } from '../../wallet/limits'
import { type NewCode, requestColumnsSql } from './code-store'
import type { AuthorizationDetail } from './contract'

interface DescribedRequest {
  client_name: string
  /** The merchant's canonical address; null for wallet access. */
  merchant_audience: string | null
  authorization_details: readonly Record<string, unknown>[]
}

/** A request behind the magic-link gate, with the facts for its mail. */
export type LinkedRequest = Row<'PushedRequest', 'redirect_uri' | 'state' | 'principal_id'> &
  DescribedRequest &
  RequestStop & { email: string | null }

interface RequestStop {
  /** Why the purchase may not be made now; null when it may, and for wallet access. */
  stop: Stop | null
}

/** SQL over the request r, `principal_profiles` p and `agents` c: `stop`, which is null for wallet access. */
const purchaseStop = sql`CASE WHEN r.merchant_audience IS NOT NULL THEN ${stopSql({ principal: sql`p`, agent: sql`c` })} END`

interface NewMagicLink {
  readonly handleHash: string
  readonly tokenHash: string
  readonly now: Date
  readonly expiresAt: Date
}

/** The most open magic links of one agent. */
const WAITING_LINKS_PER_AGENT = 10

/**
 * Replaces the pushed request by a magic link, in one statement. The request ends without a link when the person has no
 * address, the agent has its maximum of open links, the agent or the person is no longer active, or the purchase may
 * not be made now. Returns null when the request is gone. The caller must hold the person's lock, so that the maximum
 * is not exceeded.
 */
export async function insertMagicLink(tx: Queryable, { handleHash, tokenHash, now, expiresAt }: NewMagicLink) {
  const [row] = await tx.query<LinkedRequest & { linked: boolean; crowded: boolean }>(
    sql`WITH consumed AS (DELETE FROM pushed_requests WHERE handle_hash = ${handleHash} AND expires_at > ${now} RETURNING *),
     described AS (
       SELECT r.*, p.email, c.shown_name AS client_name,
              (p.email IS NOT NULL AND c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted) AS active,
              ${purchaseStop} AS stop,
              (SELECT count(*) FROM magic_links l WHERE l.client_id = r.client_id AND l.consumed_at IS NULL
                  AND l.expires_at > ${now}) >= ${WAITING_LINKS_PER_AGENT} AS crowded
         FROM consumed r JOIN agents c ON c.id = r.client_id JOIN principal_profiles p ON p.id = r.principal_id),
     linked AS (
       INSERT INTO magic_links (token_hash, ${requestColumnsSql}, state, created_at, expires_at)
       SELECT ${tokenHash}, ${requestColumnsSql}, state, ${now}::timestamptz, ${expiresAt}::timestamptz
         FROM described WHERE active AND stop IS NULL AND NOT crowded
       RETURNING token_hash)
     SELECT redirect_uri, state, principal_id, email, client_name, merchant_audience, authorization_details, stop, crowded,
            EXISTS (SELECT 1 FROM linked) AS linked FROM described`,
  )
  return row ?? null
}

/** A magic link in its present state. */
export type MagicLinkRow = Row<'MagicLink', 'principal_id' | 'expires_at' | 'consumed_at'> &
  DescribedRequest & { email: string | null }

export async function findMagicLink(db: Queryable, tokenHash: string): Promise<MagicLinkRow | null> {
  const [row] = await db.query<MagicLinkRow>(
    sql`SELECT l.principal_id, c.shown_name AS client_name, p.email, l.merchant_audience, l.authorization_details,
            l.expires_at, l.consumed_at
       FROM magic_links l JOIN agents c ON c.id = l.client_id JOIN principal_profiles p ON p.id = l.principal_id
      WHERE l.token_hash = ${tokenHash}`,
  )
  return row ?? null
}

export type ConsumedLink = Row<
  'MagicLink',
  | 'token_hash'
  | 'redirect_uri'
  | 'state'
  | 'principal_id'
  | 'client_id'
  | 'merchant_audience'
  | 'scope'
  | 'created_at'
  | 'expires_at',
  { scope: string[] }
> &
  RequestStop & {
    authorization_details: readonly AuthorizationDetail[]
    coded: boolean
    /** The id of the confirmed purchase; null for wallet access. */
    authorization_id: string | null
  }

/** Consumes the link and stores the code, in one statement; returns null when it is unknown, expired or used. */
export async function consumeMagicLink(
  tx: Queryable,
  { tokenHash, authorizationId, code }: { tokenHash: string; authorizationId: string; code: NewCode },
): Promise<ConsumedLink | null> {
  const [row] = await tx.query<ConsumedLink>(
    sql`WITH consumed AS (
       UPDATE magic_links SET consumed_at = ${code.now}
        WHERE token_hash = ${tokenHash} AND consumed_at IS NULL AND expires_at > ${code.now} RETURNING *),
     checked AS (
       SELECT r.*, ${purchaseStop} AS stop,
              (c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted) AS active
         FROM consumed r JOIN agents c ON c.id = r.client_id JOIN principal_profiles p ON p.id = r.principal_id),
     coded AS (
       INSERT INTO authorization_codes (code_hash, ${requestColumnsSql}, authorization_id, acr, auth_time, created_at, expires_at)
       SELECT ${code.codeHash}, ${requestColumnsSql}, CASE WHEN merchant_audience IS NOT NULL THEN ${authorizationId}::text END, 'mail', ${code.now}::timestamptz, ${code.now}::timestamptz, ${code.expiresAt}::timestamptz
         FROM checked WHERE active AND stop IS NULL
       RETURNING authorization_id)
     SELECT token_hash, redirect_uri, state, principal_id, client_id, merchant_audience, scope, authorization_details, created_at,
            expires_at, stop, (SELECT authorization_id FROM coded), EXISTS (SELECT 1 FROM coded) AS coded FROM checked`,
  )
  return row ?? null
}

/** Deletes expired magic links. */
export function sweepMagicLinks(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('magicLinks', now)
  return countSwept(
    db,
    sql`DELETE FROM magic_links WHERE token_hash IN
       (SELECT token_hash FROM magic_links WHERE ${oldestSql(sql`expires_at`, before)})`,
  )
}
