import type { Acr } from '../../base/core/authentication'
import { lookedUpTogether } from '../../base/core/batching'
import type { ReplayKey } from '../../base/core/call'
import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { type Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { lockRememberedSql, saveMandateSql } from '../../wallet/approvals'
import { hasLapsedSql } from '../../wallet/merchants'
import { redeemCodeSql } from '../authorization'
import type { AuthorizationDetail } from '../authorization/contract'
import { consumeReplayKeysSql, notedTokenSql, noteLastTokensSql } from '../clients'
import { freePlaceSql, insertMandateSql, keepItemsSql, type NewMandate } from '../mandates'

export type FamilyKind = 'payment' | 'wallet'

/** The rights of a grant, which is either a code or a token family. */
export type Grant = Row<
  'TokenFamily',
  | 'client_id'
  | 'principal_id'
  | 'tenant_id'
  | 'jkt'
  | 'scope'
  | 'resources'
  | 'authorization_details'
  | 'acr'
  | 'auth_time',
  { scope: string[]; resources: string[]; authorization_details: AuthorizationDetail[]; acr: Acr }
> & {
  /** Whether the client has not been revoked. */
  active: boolean
  /** Whether the person is erased or has restricted processing. */
  barred: boolean
}

/** A refresh token with its family. */
export type RefreshRow = Grant &
  Row<'RefreshToken', 'family_id' | 'expires_at' | 'rotated_at'> &
  Row<'TokenFamily', 'kind' | 'revoked_at', { kind: FamilyKind }> & { family_expires_at: Date }

/** Finds a refresh token with its family by its hash; null when there is none. */
export const findRefreshToken: (db: Database, tokenHash: string) => Promise<RefreshRow | null> = lookedUpTogether(
  (db: Database, tokenHashes) =>
    db.query<RefreshRow & { token_hash: string }>(
      sql`SELECT t.token_hash, f.client_id, f.principal_id, f.tenant_id, f.jkt, f.scope, f.resources, f.authorization_details, f.acr,
            f.auth_time, c.revoked_at IS NULL AS active, (p.erased OR p.processing_restricted) AS barred, f.id AS family_id,
            f.kind, t.expires_at, t.rotated_at, f.expires_at AS family_expires_at, f.revoked_at
       FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id JOIN agents c ON c.id = f.client_id
       JOIN principal_profiles p ON p.id = f.principal_id
      WHERE t.token_hash = ANY (${tokenHashes}::text[])`,
    ),
  (row) => row.token_hash,
)

export interface Redemption {
  readonly codeHash: string
  readonly clientId: string
  readonly principalId: string
  readonly familyId: string
  readonly kind: FamilyKind
  /** The subject of the remembered approval that the code depends on; null for none. */
  readonly remembered: string | null
  /** The hash of the refresh token; null when the client did not register for refresh tokens. */
  readonly refreshTokenHash: string | null
  readonly familyExpiresAt: Date
  readonly mandate: NewMandate | null
  readonly now: Date
}

/** The outcome of a writing statement: the replay keys that were fresh, and whether it succeeded. */
export interface Outcome {
  readonly fresh: readonly string[]
  readonly done: boolean
  readonly status_index: number | null
}

/**
 * Returns SQL that locks an active, unrestricted person (KEY SHARE), so that erasure and restriction are serialised
 * with issuing. The person is locked before the client, as in those.
 */
const servedPersonSql = (principalId: string): Sql =>
  sql`SELECT id FROM active_principals WHERE id = ${principalId} AND NOT processing_restricted FOR KEY SHARE`

/**
 * Redeems a code: consumes the proofs and the code and creates the family, its first refresh token and the mandate, all
 * in one statement. Only one of parallel redemptions gets `done`; the others only consume their proofs. The lock on the
 * client waits for a concurrent revocation, so that it cannot miss the new family. The code stays unused without a free
 * place in the status list, for a merchant that the federation no longer verifies, and without the remembered approval
 * that it depends on.
 */
export async function redeemCode(db: Queryable, redemption: Redemption, keys: readonly ReplayKey[]): Promise<Outcome> {
  const {
    codeHash,
    clientId,
    principalId,
    familyId,
    kind,
    remembered,
    refreshTokenHash,
    familyExpiresAt,
    mandate,
    now,
  } = redemption
  const mandateId = mandate?.id ?? null
  const isAdmitted = sql`(SELECT count(*) FROM fresh) = ${keys.length} AND EXISTS (SELECT 1 FROM active)
          AND (${mandate === null}::boolean OR EXISTS (SELECT 1 FROM place))
          AND (${remembered === null}::boolean OR EXISTS (SELECT 1 FROM remembered))
          AND NOT ${hasLapsedSql(sql`${mandate?.merchantAudience ?? null}::text`, sql`${now}::timestamptz`)}`
  const [row] = await db.query<Outcome>(
    sql`WITH fresh AS (${consumeReplayKeysSql(keys)}),
     person AS (${servedPersonSql(principalId)}),
     active AS (
       SELECT c.tenant_id FROM active_clients c
        WHERE c.id = ${clientId} AND c.principal_id = (SELECT id FROM person)
        FOR KEY SHARE OF c),
     remembered AS (${lockRememberedSql({ clientId, subject: remembered }, { agent: sql`active` })}),
     place AS (${freePlaceSql(mandate)}),
     code AS (${redeemCodeSql({ codeHash, familyId, now, condition: isAdmitted })}),
     family AS (
       INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                   mandate_id, acr, auth_time, created_at, expires_at)
       SELECT ${familyId}, code.client_id, code.principal_id, active.tenant_id, ${kind}, code.jkt, code.scope, code.resources,
              code.authorization_details, ${mandateId}, code.acr, code.auth_time, ${now}::timestamptz, ${familyExpiresAt}::timestamptz
         FROM code, active RETURNING id, client_id, principal_id, tenant_id, jkt),
     refresh AS (
       INSERT INTO refresh_tokens (token_hash, family_id, created_at, expires_at)
       SELECT ${refreshTokenHash}::text, id, ${now}::timestamptz, ${familyExpiresAt}::timestamptz FROM family
        WHERE ${refreshTokenHash}::text IS NOT NULL),
     mandate AS (${insertMandateSql(mandate, { family: sql`family`, place: sql`place`, now })}),
     approval AS (${saveMandateSql({
       authorizationId: sql`(SELECT authorization_id FROM code)`,
       mandateId: sql`${mandateId}`,
       condition: sql`${mandate !== null}`,
     })})
     SELECT coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh, EXISTS (SELECT 1 FROM family) AS done,
            (SELECT status_index FROM mandate) AS status_index`,
  )
  return row ?? { fresh: [], done: false, status_index: null }
}

interface Rotation {
  readonly tokenHash: string
  readonly familyId: string
  readonly principalId: string
  readonly successorHash: string
  readonly now: Date
}

/** Rotates a refresh token: at most one successor, and none in a revoked family. */
export async function rotateRefreshToken(
  db: Queryable,
  rotation: Rotation,
  keys: readonly ReplayKey[],
): Promise<Outcome> {
  const { tokenHash, familyId, principalId, successorHash, now } = rotation
  const [row] = await db.query<Outcome>(
    sql`WITH fresh AS (${consumeReplayKeysSql(keys)}),
     person AS (${servedPersonSql(principalId)}),
     active AS (
       SELECT f.id, f.client_id FROM token_families f JOIN active_clients c ON c.id = f.client_id
        WHERE f.id = ${familyId} AND f.principal_id = (SELECT id FROM person) AND f.revoked_at IS NULL
        FOR UPDATE OF f),
     rotated AS (
       UPDATE refresh_tokens SET rotated_at = ${now}
        WHERE token_hash = ${tokenHash} AND rotated_at IS NULL AND expires_at > ${now}
          AND (SELECT count(*) FROM fresh) = ${keys.length} AND family_id = (SELECT id FROM active)
       RETURNING expires_at),
     successor AS (
       INSERT INTO refresh_tokens (token_hash, family_id, client_id, created_at, expires_at)
       SELECT ${successorHash}, active.id, active.client_id, ${now}::timestamptz, rotated.expires_at
         FROM rotated, active RETURNING token_hash)
     SELECT coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh, EXISTS (SELECT 1 FROM successor) AS done,
            NULL::int AS status_index`,
  )
  return row ?? { fresh: [], done: false, status_index: null }
}

/** Returns a SQL expression for whether any of the families has been revoked. */
export function isAnyFamilyRevokedSql(familyIds: readonly string[]): Sql {
  return sql`EXISTS (
    SELECT 1 FROM token_families WHERE id = ANY (${familyIds}::text[]) AND revoked_at IS NOT NULL)`
}

/** Whether a family has not been revoked. */
export async function isActiveFamily(db: Queryable, familyId: string): Promise<boolean> {
  const rows = await db.query(sql`SELECT 1 AS one FROM token_families WHERE id = ${familyId} AND revoked_at IS NULL`)
  return rows.length === 1
}

interface NewWalletFamily {
  readonly id: string
  readonly principalId: string
  readonly tenantId: string
  readonly jkt: string
  readonly scope: readonly string[]
  readonly resources: readonly string[]
  readonly now: Date
  readonly expiresAt: Date
}

/** Stores the family of a wallet session, whose client is the tenant. */
export async function insertWalletFamily(tx: Queryable, family: NewWalletFamily): Promise<void> {
  const { id, principalId, tenantId, jkt, now, expiresAt } = family
  await tx.query(
    sql`INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources,
                                authorization_details, acr, auth_time, created_at, expires_at)
     VALUES (${id}, ${tenantId}, ${principalId}, ${tenantId}, 'wallet', ${jkt}, ${JSON.stringify(family.scope)}::jsonb,
             ${JSON.stringify(family.resources)}::jsonb, '[]', 'phr', ${now}, ${now}, ${expiresAt})`,
  )
}

/**
 * Returns a SQL expression for when a client last got a token, in a new family or by rotation, also in deleted
 * families. Fast for any number of tokens: each part reads the last entry of an index.
 */
export const lastTokenSql = (clientId: Sql): Sql => sql`greatest(
     (SELECT max(created_at) FROM token_families WHERE client_id = ${clientId}),
     (SELECT max(created_at) FROM refresh_tokens WHERE client_id = ${clientId}), ${notedTokenSql(clientId)})`

/** A set of wallet scopes for which an agent holds tokens, and the expiry of the last family. */
type WalletSession = Row<'TokenFamily', 'scope' | 'expires_at', { scope: readonly string[] }>

/** Lists the active wallet sessions of an agent, one for each set of scopes. */
export function listWalletSessions(
  db: Queryable,
  agent: { readonly principalId: string; readonly clientId: string; readonly now: Date },
): Promise<WalletSession[]> {
  return db.query<WalletSession>(
    sql`SELECT scope, max(expires_at) AS expires_at FROM token_families
      WHERE kind = 'wallet' AND revoked_at IS NULL AND expires_at > ${agent.now}
        AND principal_id = ${agent.principalId} AND client_id = ${agent.clientId}
      GROUP BY scope`,
  )
}

const FAMILIES_SWEPT_AT_ONCE = 1_000

/**
 * Deletes token families and their refresh tokens some time after they expired or were revoked, unless a settlement of
 * their mandate is still open. The mandate stays and gets the agreed items.
 */
export function sweepTokenFamilies(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('tokenFamilies', now)
  return db.transaction(async (tx) => {
    // Clients are locked before families, as in the revocation of a client.
    const ended = await tx.query<Row<'TokenFamily', 'id'>>(
      sql`WITH ended AS (
         SELECT f.id, f.client_id, f.created_at FROM token_families f
          WHERE least(f.expires_at, f.revoked_at) < ${before}
            AND NOT EXISTS (SELECT 1 FROM mandate_terms d JOIN open_settlements s ON s.mandate_id = d.id WHERE d.family_id = f.id)
          ORDER BY least(f.expires_at, f.revoked_at) LIMIT ${FAMILIES_SWEPT_AT_ONCE}),
       tokens AS (
         SELECT client_id, created_at AS at FROM ended
         UNION ALL SELECT ended.client_id, r.created_at FROM ended JOIN refresh_tokens r ON r.family_id = ended.id),
       noted AS (${noteLastTokensSql(sql`tokens`)})
       SELECT id FROM ended`,
    )
    if (ended.length === 0) return 0
    await tx.query(
      sql`WITH refresh AS (DELETE FROM refresh_tokens WHERE family_id = ANY (${ended.map(({ id }) => id)}::text[])),
       family AS (
         DELETE FROM token_families WHERE id = ANY (${ended.map(({ id }) => id)}::text[])
         RETURNING id, authorization_details -> 0 -> 'line_items' AS line_items)
       ${keepItemsSql(sql`family`)}`,
    )
    return ended.length
  })
}
