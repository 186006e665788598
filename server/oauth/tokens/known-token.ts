import type { Acr } from '../../base/core/authentication'
import { batchedFor, inPlaces } from '../../base/core/batching'
import type { ClientCall, ReplayKey } from '../../base/core/call'
import { invariant } from '../../base/core/invariant'
import type { Database, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { type AccessTokenClaims, verifyAccessToken } from '../../base/protocol/access-token'
import { sha256Base64url } from '../../base/protocol/encoding'
import { orNull } from '../../base/protocol/errors'
import type { AuthorizationDetail } from '../authorization/contract'
import { type Admission, insertReplayKeysSql, requireAdmission } from '../clients'
import { OPAQUE_TOKEN_MAX_CHARS } from './checks'
import type { FamilyKind } from './store'
import { familyOfTokenId } from './token-id'

/** A valid access or refresh token that the caller may know about. */
export interface KnownToken {
  readonly familyId: string
  /** The claims of an access token; null for a refresh token. */
  readonly claims: AccessTokenClaims | null
  readonly family: FamilyRow
}

type FamilyRow = Row<
  'TokenFamily',
  | 'client_id'
  | 'principal_id'
  | 'kind'
  | 'jkt'
  | 'scope'
  | 'resources'
  | 'authorization_details'
  | 'acr'
  | 'auth_time'
  | 'created_at'
  | 'expires_at',
  { kind: FamilyKind; acr: Acr; scope: string[]; resources: string[]; authorization_details: AuthorizationDetail[] }
>

/**
 * Finds the active token that a caller sends, without regard to the hint, and consumes the caller's assertion in the
 * same statement. Returns null when it is unknown, expired or revoked, or when the caller may not know it: an agent may
 * know its own tokens, a wallet client those of its tenant.
 */
export function findKnownToken(call: ClientCall, token: string): Promise<KnownToken | null> {
  return findToken(call, token, 'byRefreshToken')
}

/**
 * {@link findKnownToken} for revocation: also finds a refresh token that was exchanged, since the exchange may have
 * overtaken the revocation, and its successor must not stay valid.
 */
export function findTokenToRevoke(call: ClientCall, token: string): Promise<KnownToken | null> {
  return findToken(call, token, 'byAnyRefreshToken')
}

async function findToken(call: ClientCall, token: string, byRefreshToken: LookupKind): Promise<KnownToken | null> {
  // Refresh tokens of this server have no dots, and access tokens always have.
  const claims = token.includes('.') ? findClaims(call, token) : null
  if (claims !== null) {
    const familyId = familyOfTokenId(claims.jti)
    const family = await admitAndFind(call, 'byId', familyId)
    return family === null ? null : { familyId, claims, family }
  }
  const hash = token.length > OPAQUE_TOKEN_MAX_CHARS ? '' : sha256Base64url(token)
  const family = await admitAndFind(call, byRefreshToken, hash)
  return family === null ? null : { familyId: family.id, claims: null, family }
}

function findClaims({ platform, now }: ClientCall, token: string): AccessTokenClaims | null {
  return orNull(() =>
    verifyAccessToken(token, {
      issuer: platform.config.baseUrl,
      now,
      findKey: (kid) => platform.keys.find('access_token', kid),
    }),
  )
}

interface TokenLookup {
  readonly caller: string
  readonly key: ReplayKey
  readonly now: Date
  readonly value: string
}

interface LookupResult {
  readonly admission: Admission
  readonly family: (FamilyRow & { readonly id: string }) | null
}

/** The most lookups that one statement answers. */
const BATCH_MAX = 50

const finderBy = (condition: Sql) =>
  batchedFor<Database, TokenLookup, LookupResult>((db, lookups) => listFamilies(db, condition, lookups), BATCH_MAX)

const byRefreshTokenSql = (condition: Sql) =>
  sql`f.id = (SELECT family_id FROM refresh_tokens WHERE token_hash = wanted.value AND expires_at > wanted.now AND ${condition})`

const finders = {
  byId: finderBy(sql`f.id = wanted.value`),
  byRefreshToken: finderBy(byRefreshTokenSql(sql`rotated_at IS NULL`)),
  byAnyRefreshToken: finderBy(byRefreshTokenSql(sql`true`)),
} as const
type LookupKind = keyof typeof finders

type LookupRow = FamilyRow & { place: number; active: boolean; fresh: boolean; id: string | null }

const lookupColumns = {
  place: 'int',
  caller: 'text',
  key: 'text',
  key_until: 'timestamptz',
  now: 'timestamptz',
  value: 'text',
} as const

async function listFamilies(db: Queryable, condition: Sql, lookups: readonly TokenLookup[]): Promise<LookupResult[]> {
  const wanted = lookups.map(({ caller, key, now, value }, place) => ({
    place,
    caller,
    key: key.key,
    key_until: key.expiresAt,
    now,
    value,
  }))
  const rows = await db.query<LookupRow>(
    sql`WITH wanted AS (SELECT * FROM ${sql.rows('w', lookupColumns, wanted)}),
     active AS (
       SELECT wanted.place FROM wanted JOIN active_clients c ON c.id = wanted.caller
         LEFT JOIN principal_profiles p ON p.id = c.principal_id
        WHERE NOT coalesce(p.erased, false)),
     fresh AS (${insertReplayKeysSql(sql`SELECT key, key_until FROM wanted JOIN active USING (place) ORDER BY key`)})
     SELECT wanted.place, wanted.place IN (SELECT place FROM active) AS active,
            wanted.key IN (SELECT key FROM fresh) AS fresh, family.*
       FROM wanted LEFT JOIN LATERAL (
         SELECT f.id, f.client_id, f.principal_id, f.kind, f.jkt, f.scope, f.resources, f.authorization_details, f.acr, f.auth_time,
                f.created_at, f.expires_at
           FROM token_families f JOIN active_clients c ON c.id = f.client_id JOIN active_principals p ON p.id = f.principal_id
          WHERE ${condition} AND f.revoked_at IS NULL AND f.expires_at > wanted.now
            AND (f.client_id = wanted.caller OR f.tenant_id = wanted.caller)
         OFFSET 0) family ON true`,
  )
  const found = inPlaces(rows, lookups)
  const used = new Set<string>()
  return lookups.map(({ key }, index) => {
    const row = found[index]
    invariant(row != null, 'each lookup has its row')
    // A key that occurs twice in one batch is fresh only for the first.
    const isFresh = row.fresh && !used.has(key.key)
    used.add(key.key)
    const { id } = row
    return {
      admission: { active: row.active, fresh: isFresh ? [key.key] : [] },
      family: id === null ? null : { ...row, id },
    }
  })
}

async function admitAndFind({ platform, actor, now }: ClientCall, kind: LookupKind, value: string) {
  const { client, replayKeys } = actor
  const [key, ...more] = replayKeys
  invariant(key !== undefined && more.length === 0, 'these endpoints take an assertion and no proof')
  const { admission, family } = await finders[kind](platform.db, { caller: client.id, key, now, value })
  requireAdmission(admission, replayKeys)
  return family
}
