import type { Database, Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

export interface TakenRequest {
  redirect_uri: string
  state: string | null
  decision: 'approved' | 'consent' | 'access_denied' | 'setup_required'
  status: 'pending' | 'approved' | 'declined' | null
  live: boolean
  coded: boolean
}

/** The code that a statement may issue. */
export interface NewCode {
  readonly codeHash: string
  readonly now: Date
  readonly expiresAt: Date
}

interface Taking {
  readonly handleHash: string
  readonly clientId: string
  /** Whether every principal has the gate; else it is the principal's choice. */
  readonly gateForAll: boolean
  readonly code: NewCode
}

/** What was settled without asking anybody, where the person wants to confirm that by mail. */
const isGated = (gateForAll: boolean) =>
  sql`(r.decision = 'approved' AND (${gateForAll}::boolean OR p.magic_link_gate))`

const grantColumns = sql`client_id, principal_id, jkt, dpop_jwk, redirect_uri, code_challenge, scope, resources,
  authorization_details`

/**
 * Reads and deletes the pushed request and, when it has been approved, stores the code, in one statement: of any number
 * of parallel redirects one gets it. Another client's request is left alone, and so is one that waits at the gate.
 */
export async function consumePushedRequest(db: Queryable, taking: Taking): Promise<TakenRequest | null> {
  const { handleHash, clientId, gateForAll, code } = taking
  const [row] = await db.query<TakenRequest>(
    sql`WITH taken AS (
       DELETE FROM pushed_requests r USING principals p
        WHERE r.handle_hash = ${handleHash} AND r.client_id = ${clientId} AND r.expires_at > ${code.now} AND p.id = r.principal_id
          AND NOT ${isGated(gateForAll)}
       RETURNING r.*),
     verdict AS (
       SELECT t.*, o.status, o.decided_at,
              (c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted) AS live
         FROM taken t JOIN clients c ON c.id = t.client_id JOIN principals p ON p.id = t.principal_id
         LEFT JOIN consents o ON o.authorization_id = t.authorization_id),
     coded AS (
       INSERT INTO authorization_codes (code_hash, ${grantColumns}, authorization_id, auth_time, created_at, expires_at)
       SELECT ${code.codeHash}, ${grantColumns}, authorization_id, coalesce(decided_at, ${code.now}::timestamptz),
              ${code.now}::timestamptz, ${code.expiresAt}::timestamptz
         FROM verdict WHERE live AND (decision = 'approved' OR (decision = 'consent' AND status = 'approved'))
       RETURNING code_hash)
     SELECT redirect_uri, state, decision, status, live, EXISTS (SELECT 1 FROM coded) AS coded FROM verdict`,
  )
  return row ?? null
}

/** Who pushed the living request of this handle, and whether it waits at the gate; null when there is none. */
export async function findPushedRequest(
  db: Queryable,
  { handleHash, gateForAll, now }: { handleHash: string; gateForAll: boolean; now: Date },
): Promise<{ client_id: string; gated: boolean } | null> {
  const [row] = await db.query<{ client_id: string; gated: boolean }>(
    sql`SELECT r.client_id, ${isGated(gateForAll)} AS gated
       FROM pushed_requests r JOIN principals p ON p.id = r.principal_id
      WHERE r.handle_hash = ${handleHash} AND r.expires_at > ${now}`,
  )
  return row ?? null
}

/** A request behind the gate, with what its link says about it. */
export interface ParkedRequest {
  redirect_uri: string
  state: string | null
  principal_id: string
  email: string | null
  client_name: string
  authorization_details: readonly Record<string, unknown>[]
}

interface Parking {
  readonly handleHash: string
  readonly tokenHash: string
  readonly now: Date
  readonly expiresAt: Date
}

/**
 * Moves the pushed request behind a magic link, in one statement. Without an address to send the link to, or when the
 * agent or its person is no longer served, nothing is parked and the request still ends. Null when it was taken before.
 */
export async function parkPushedRequest(tx: Queryable, parking: Parking) {
  const [row] = await tx.query<ParkedRequest & { parked: boolean }>(
    sql`WITH taken AS (DELETE FROM pushed_requests WHERE handle_hash = ${parking.handleHash} AND expires_at > ${parking.now} RETURNING *),
     described AS (
       SELECT t.*, p.email, c.name AS client_name,
              (p.email IS NOT NULL AND c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted) AS live
         FROM taken t JOIN clients c ON c.id = t.client_id JOIN principals p ON p.id = t.principal_id),
     parked AS (
       INSERT INTO magic_links (token_hash, ${grantColumns}, state, created_at, expires_at)
       SELECT ${parking.tokenHash}, ${grantColumns}, state, ${parking.now}::timestamptz, ${parking.expiresAt}::timestamptz FROM described WHERE live
       RETURNING token_hash)
     SELECT redirect_uri, state, principal_id, email, client_name, authorization_details,
            EXISTS (SELECT 1 FROM parked) AS parked FROM described`,
  )
  return row ?? null
}

/** A magic link as it stands. */
export interface MagicLinkRow {
  client_name: string
  authorization_details: readonly Record<string, unknown>[]
  expires_at: Date
  consumed_at: Date | null
}

export async function findMagicLink(db: Queryable, tokenHash: string): Promise<MagicLinkRow | null> {
  const [row] = await db.query<MagicLinkRow>(
    sql`SELECT c.name AS client_name, l.authorization_details, l.expires_at, l.consumed_at
       FROM magic_links l JOIN clients c ON c.id = l.client_id WHERE l.token_hash = ${tokenHash}`,
  )
  return row ?? null
}

/** Uses the link up and stores the code, in one statement; null when it was unknown, expired or used. */
export async function consumeMagicLink(
  db: Queryable,
  { tokenHash, code }: { tokenHash: string; code: NewCode },
): Promise<{ redirect_uri: string; state: string | null; coded: boolean } | null> {
  const [row] = await db.query<{ redirect_uri: string; state: string | null; coded: boolean }>(
    sql`WITH taken AS (
       UPDATE magic_links SET consumed_at = ${code.now}
        WHERE token_hash = ${tokenHash} AND consumed_at IS NULL AND expires_at > ${code.now} RETURNING *),
     coded AS (
       INSERT INTO authorization_codes (code_hash, ${grantColumns}, auth_time, created_at, expires_at)
       SELECT ${code.codeHash}, ${grantColumns}, ${code.now}::timestamptz, ${code.now}::timestamptz, ${code.expiresAt}::timestamptz
         FROM taken
        WHERE EXISTS (SELECT 1 FROM clients c JOIN principals p ON p.id = taken.principal_id
                       WHERE c.id = taken.client_id AND c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted)
       RETURNING code_hash)
     SELECT redirect_uri, state, EXISTS (SELECT 1 FROM coded) AS coded FROM taken`,
  )
  return row ?? null
}

/** Codes and links are kept this long after they expired: a late replay is known as one, and ends the code's family. */
const USED_KEPT_MILLISECONDS = 24 * 3_600_000
const SWEPT_AT_ONCE = 5_000

/** Deletes codes that expired a day ago. */
export async function sweepAuthorizationCodes(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - USED_KEPT_MILLISECONDS)
  await db.query(
    sql`DELETE FROM authorization_codes WHERE code_hash IN
       (SELECT code_hash FROM authorization_codes WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}

/** Deletes magic links that expired a day ago. */
export async function sweepMagicLinks(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - USED_KEPT_MILLISECONDS)
  await db.prisma.magicLink.deleteMany({ where: { expires_at: { lt: before } } })
}
