import { batchedFor } from '../../base/core/batching'
import type { ClientCall, ReplayKey } from '../../base/core/call'
import { invariant } from '../../base/core/invariant'
import type { Database, Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import { type AccessTokenClaims, verifyAccessToken } from '../../base/protocol/access-token'
import { sha256Base64url } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import type { AuthorizationDetail } from '../authorization/contract'
import { type Admission, requireAdmission } from '../clients'
import { familyOfTokenId } from './token-id'

/** A token that is good, of whatever kind, as far as the caller may know. */
export interface KnownToken {
  readonly familyId: string
  /** The claims of an access token; null for a refresh token. */
  readonly claims: AccessTokenClaims | null
  readonly family: FamilyRow
}

interface FamilyRow {
  client_id: string
  principal_id: string
  kind: 'payment' | 'wallet'
  jkt: string
  scope: string[]
  resources: string[]
  authorization_details: AuthorizationDetail[]
  created_at: Date
  expires_at: Date
}

/** Longest refresh token that is worth hashing; ours have 43 characters. */
const REFRESH_TOKEN_MAX_CHARS = 512

/**
 * Finds the living token that a caller names, by what it is rather than by the hint, and consumes the caller's assertion
 * in the same statement. Null when it is unknown, expired or revoked, and when it is not the caller's to know: an agent
 * knows its own tokens, a wallet client those of its tenant.
 */
export function findKnownToken(call: ClientCall, token: string): Promise<KnownToken | null> {
  return findToken(call, token, 'byRefreshToken')
}

/**
 * The same for revocation. A refresh token that was exchanged is found too, since the exchange may have
 * overtaken the revocation, and its child must not live on.
 */
export function findTokenToRevoke(call: ClientCall, token: string): Promise<KnownToken | null> {
  return findToken(call, token, 'byAnyRefreshToken')
}

async function findToken(call: ClientCall, token: string, byRefreshToken: Way): Promise<KnownToken | null> {
  // Refresh tokens of ours have no dots, and access tokens always.
  const claims = token.includes('.') ? readClaims(call, token) : null
  if (claims !== null) {
    const familyId = familyOfTokenId(claims.jti)
    const family = await admitAndFind(call, 'byId', familyId)
    return family === null ? null : { familyId, claims, family }
  }
  const hash = token.length > REFRESH_TOKEN_MAX_CHARS ? '' : sha256Base64url(token)
  const family = await admitAndFind(call, byRefreshToken, hash)
  return family === null ? null : { familyId: family.id, claims: null, family }
}

function readClaims({ platform, now }: ClientCall, token: string): AccessTokenClaims | null {
  try {
    return verifyAccessToken(token, {
      issuer: platform.config.baseUrl,
      now,
      findKey: (kid) => platform.keys.find('access_token', kid),
    })
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

interface Question {
  readonly caller: string
  readonly key: ReplayKey
  readonly now: Date
  readonly value: string
}

interface Answer {
  readonly admission: Admission
  readonly family: (FamilyRow & { readonly id: string }) | null
}

/** Questions that arrive together are asked together. */
const ASKED_AT_ONCE = 50

const finderBy = (condition: Sql) =>
  batchedFor<Database, Question, Answer>((db, questions) => findTogether(db, condition, questions), ASKED_AT_ONCE)

const byRefreshTokenSql = (condition: Sql) =>
  sql`f.id = (SELECT family_id FROM refresh_tokens WHERE token_hash = asked.value AND expires_at > asked.now AND ${condition})`

const find = {
  byId: finderBy(sql`f.id = asked.value`),
  byRefreshToken: finderBy(byRefreshTokenSql(sql`rotated_at IS NULL`)),
  byAnyRefreshToken: finderBy(byRefreshTokenSql(sql`true`)),
} as const
type Way = keyof typeof find

type AnswerRow = FamilyRow & { place: number; live: boolean; fresh: boolean; id: string | null }

const questionColumns = {
  place: 'int',
  caller: 'text',
  key: 'text',
  key_until: 'timestamptz',
  now: 'timestamptz',
  value: 'text',
} as const

async function findTogether(db: Queryable, condition: Sql, questions: readonly Question[]): Promise<Answer[]> {
  const asked = questions.map(({ caller, key, now, value }, place) => ({
    place,
    caller,
    key: key.key,
    key_until: key.expiresAt,
    now,
    value,
  }))
  const rows = await db.query<AnswerRow>(
    sql`WITH asked AS (SELECT * FROM ${sql.rows('a', questionColumns, asked)}),
     live AS (
       SELECT asked.place FROM asked JOIN clients c ON c.id = asked.caller LEFT JOIN principals p ON p.id = c.principal_id
        WHERE c.revoked_at IS NULL AND NOT coalesce(p.erased, false)),
     fresh AS (
       INSERT INTO replay_keys (key, expires_at)
       SELECT key, key_until FROM asked JOIN live USING (place) ORDER BY key ON CONFLICT DO NOTHING RETURNING key)
     SELECT asked.place, asked.place IN (SELECT place FROM live) AS live,
            asked.key IN (SELECT key FROM fresh) AS fresh, family.*
       FROM asked LEFT JOIN LATERAL (
         SELECT f.id, f.client_id, f.principal_id, f.kind, f.jkt, f.scope, f.resources, f.authorization_details, f.created_at,
                f.expires_at
           FROM token_families f JOIN clients c ON c.id = f.client_id JOIN principals p ON p.id = f.principal_id
          WHERE ${condition} AND f.revoked_at IS NULL AND f.expires_at > asked.now AND c.revoked_at IS NULL AND NOT p.erased
            AND (f.client_id = asked.caller OR f.tenant_id = asked.caller)
         OFFSET 0) family ON true`,
  )
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  const used = new Set<string>()
  return questions.map(({ key }, index) => {
    const row = byPlace.get(index)
    invariant(row !== undefined, 'each question has its row')
    // A key that came twice at once is fresh for the first.
    const isFresh = row.fresh && !used.has(key.key)
    used.add(key.key)
    const { id } = row
    return {
      admission: { live: row.live, fresh: isFresh ? [key.key] : [] },
      family: id === null ? null : { ...row, id },
    }
  })
}

async function admitAndFind({ platform, actor, now }: ClientCall, way: Way, value: string) {
  const { client, replayKeys } = actor
  const [key, ...more] = replayKeys
  invariant(key !== undefined && more.length === 0, 'these endpoints take an assertion and no proof')
  const { admission, family } = await find[way](platform.db, { caller: client.id, key, now, value })
  requireAdmission(admission, replayKeys)
  return family
}
