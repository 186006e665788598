import type { ReplayKey } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import type { PublicJwk } from '../../base/protocol/jwk'
import { REFRESH_TOKEN_TTL_SECONDS } from '../../base/protocol/lifetimes'
import type { AuthorizationDetail } from '../authorization/contract'
import { consumeReplayKeysSql } from '../clients'

/** What a grant gives, whether it is still a code or already a family of tokens. */
export interface Grant {
  client_id: string
  principal_id: string
  tenant_id: string
  jkt: string
  scope: string[]
  resources: string[]
  authorization_details: AuthorizationDetail[]
  auth_time: Date
  /** The client has not been revoked. */
  live: boolean
  /** The principal is erased or has restricted processing. */
  barred: boolean
}

export interface CodeRow extends Grant {
  dpop_jwk: PublicJwk
  redirect_uri: string
  code_challenge: string
  expires_at: Date
  redeemed_at: Date | null
  family_id: string | null
}

export async function findCode(db: Queryable, codeHash: string): Promise<CodeRow | null> {
  const [row] = await db.query<CodeRow>(
    sql`SELECT k.client_id, k.principal_id, c.tenant_id, k.jkt, k.scope, k.resources, k.authorization_details, k.auth_time,
            c.revoked_at IS NULL AS live, (p.erased OR p.processing_restricted) AS barred, k.dpop_jwk, k.redirect_uri,
            k.code_challenge, k.expires_at, k.redeemed_at, k.family_id
       FROM authorization_codes k JOIN clients c ON c.id = k.client_id JOIN principals p ON p.id = k.principal_id
      WHERE k.code_hash = ${codeHash}`,
  )
  return row ?? null
}

export interface RefreshRow extends Grant {
  family_id: string
  kind: 'payment' | 'wallet'
  expires_at: Date
  rotated_at: Date | null
  family_expires_at: Date
  revoked_at: Date | null
}

export async function findRefreshToken(db: Queryable, tokenHash: string): Promise<RefreshRow | null> {
  const [row] = await db.query<RefreshRow>(
    sql`SELECT f.client_id, f.principal_id, f.tenant_id, f.jkt, f.scope, f.resources, f.authorization_details, f.auth_time,
            c.revoked_at IS NULL AS live, (p.erased OR p.processing_restricted) AS barred, f.id AS family_id, f.kind,
            t.expires_at, t.rotated_at, f.expires_at AS family_expires_at, f.revoked_at
       FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id JOIN clients c ON c.id = f.client_id
       JOIN principals p ON p.id = f.principal_id
      WHERE t.token_hash = ${tokenHash}`,
  )
  return row ?? null
}

export interface NewMandate {
  readonly id: string
  readonly merchantAudience: string
  readonly amountMinor: number
  readonly currency: string
  readonly offerId: string | null
  readonly offerDigest: string | null
  readonly statusIndexes: readonly number[]
  readonly expiresAt: Date
}

export interface Redemption {
  readonly codeHash: string
  readonly familyId: string
  readonly kind: 'payment' | 'wallet'
  /** Null when the client did not register for refresh tokens. */
  readonly refreshTokenHash: string | null
  readonly familyExpiresAt: Date
  readonly mandate: NewMandate | null
  readonly now: Date
}

/** What a writing statement did: which replay keys were fresh, and whether it won. */
export interface Outcome {
  readonly fresh: readonly string[]
  readonly done: boolean
  readonly status_index: number | null
}

/** What stands in the statement for the mandate of wallet access, which has none. */
const NO_MANDATE = {
  id: null,
  merchantAudience: null,
  amountMinor: null,
  currency: null,
  offerId: null,
  offerDigest: null,
  statusIndexes: [],
  expiresAt: null,
} as const

/**
 * Redeems a code: consumes the proofs and the code and creates the family, its first refresh token and the mandate, all
 * in one statement. Of parallel redemptions one gets `done`; the others leave nothing behind but their used proofs. The
 * lock on the client waits for a revocation that runs, so that no family comes into being behind its back.
 */
export async function redeemCode(db: Queryable, redemption: Redemption, keys: readonly ReplayKey[]): Promise<Outcome> {
  const { codeHash, familyId, kind, refreshTokenHash, familyExpiresAt, now } = redemption
  const mandate = redemption.mandate ?? NO_MANDATE
  const [row] = await db.query<Outcome>(
    sql`WITH fresh AS (${consumeReplayKeysSql(keys)}),
     living AS (
       SELECT c.tenant_id FROM authorization_codes k JOIN clients c ON c.id = k.client_id
         JOIN principals p ON p.id = c.principal_id
        WHERE k.code_hash = ${codeHash} AND c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted
        FOR KEY SHARE OF c),
     code AS (
       UPDATE authorization_codes SET redeemed_at = ${now}, family_id = ${familyId}
        WHERE code_hash = ${codeHash} AND redeemed_at IS NULL AND expires_at > ${now}
          AND (SELECT count(*) FROM fresh) = ${keys.length} AND EXISTS (SELECT 1 FROM living)
       RETURNING *),
     family AS (
       INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                   mandate_id, auth_time, created_at, expires_at)
       SELECT ${familyId}, code.client_id, code.principal_id, living.tenant_id, ${kind}, code.jkt, code.scope, code.resources,
              code.authorization_details, ${mandate.id}, code.auth_time, ${now}::timestamptz, ${familyExpiresAt}::timestamptz
         FROM code, living RETURNING id, client_id, principal_id, tenant_id, jkt),
     refresh AS (
       INSERT INTO refresh_tokens (token_hash, family_id, created_at, expires_at)
       SELECT ${refreshTokenHash}::text, id, ${now}::timestamptz, ${familyExpiresAt}::timestamptz FROM family
        WHERE ${refreshTokenHash}::text IS NOT NULL),
     place AS (
       -- A scalar subquery probes the index; NOT EXISTS would be planned as a scan of all mandates.
       SELECT i AS status_index FROM unnest(${mandate.statusIndexes}::int[]) i
        WHERE (SELECT m.id FROM mandates m WHERE m.status_index = i) IS NULL LIMIT 1),
     mandate AS (
       INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency,
                             offer_id, offer_digest, jkt, status_index, issued_at, expires_at)
       SELECT ${mandate.id}::text, family.id, family.client_id, family.principal_id, family.tenant_id,
              ${mandate.merchantAudience}, ${mandate.amountMinor}::bigint, ${mandate.currency},
              ${mandate.offerId}, ${mandate.offerDigest}, family.jkt, place.status_index,
              ${now}::timestamptz, ${mandate.expiresAt}::timestamptz
         FROM family, place WHERE ${mandate.id !== null} RETURNING status_index),
     noted AS (
       UPDATE consents SET mandate_id = ${mandate.id}
        WHERE authorization_id = (SELECT authorization_id FROM code) AND ${mandate.id !== null})
     SELECT coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh, EXISTS (SELECT 1 FROM family) AS done,
            (SELECT status_index FROM mandate) AS status_index`,
  )
  return row ?? { fresh: [], done: false, status_index: null }
}

interface Rotation {
  readonly tokenHash: string
  readonly familyId: string
  readonly successorHash: string
  readonly now: Date
}

/** Rotates a refresh token: one successor at most, and none in a family that has been revoked. */
export async function rotateRefreshToken(
  db: Queryable,
  rotation: Rotation,
  keys: readonly ReplayKey[],
): Promise<Outcome> {
  const { tokenHash, familyId, successorHash, now } = rotation
  const [row] = await db.query<Outcome>(
    sql`WITH fresh AS (${consumeReplayKeysSql(keys)}),
     living AS (
       SELECT f.id FROM token_families f
         JOIN clients c ON c.id = f.client_id JOIN principals p ON p.id = f.principal_id
        WHERE f.id = ${familyId} AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased
          AND NOT p.processing_restricted
        FOR UPDATE OF f),
     rotated AS (
       UPDATE refresh_tokens SET rotated_at = ${now}
        WHERE token_hash = ${tokenHash} AND rotated_at IS NULL AND expires_at > ${now}
          AND (SELECT count(*) FROM fresh) = ${keys.length} AND family_id = (SELECT id FROM living)
       RETURNING family_id, expires_at),
     successor AS (
       INSERT INTO refresh_tokens (token_hash, family_id, created_at, expires_at)
       SELECT ${successorHash}, family_id, ${now}::timestamptz, expires_at FROM rotated RETURNING token_hash)
     SELECT coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh, EXISTS (SELECT 1 FROM successor) AS done,
            NULL::int AS status_index`,
  )
  return row ?? { fresh: [], done: false, status_index: null }
}

/**
 * When a client was last given a token, as an expression of a larger statement: a new family, or a rotation within one.
 * Older families ended before the newest began.
 */
export const lastTokenSql = (clientId: Sql): Sql => sql`(SELECT greatest(newest.at, (
     SELECT max(r.created_at) FROM token_families f JOIN refresh_tokens r ON r.family_id = f.id
      WHERE f.client_id = ${clientId} AND f.created_at >= newest.at - make_interval(secs => ${REFRESH_TOKEN_TTL_SECONDS})))
   FROM (SELECT max(created_at) AS at FROM token_families WHERE client_id = ${clientId}) AS newest)`
