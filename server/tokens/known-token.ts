import { type Admission, admissionSql, admissionValues, requireAdmission } from '../clients'
import type { ClientCall } from '../core/call'
import { invariant } from '../core/invariant'
import type { AuthorizationDetail } from '../par/contract'
import { type AccessTokenClaims, verifyAccessToken } from '../protocol/access-token'
import { sha256Base64url } from '../protocol/encoding'
import { ProtocolError } from '../protocol/errors'
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
  return findToken(call, token, findSql.byRefreshToken)
}

/**
 * The same for whoever wants the token gone. A refresh token that was exchanged is found too, since the exchange may have
 * overtaken the revocation, and its child must not live on.
 */
export function findTokenToRevoke(call: ClientCall, token: string): Promise<KnownToken | null> {
  return findToken(call, token, findSql.byAnyRefreshToken)
}

async function findToken(call: ClientCall, token: string, byRefreshToken: string): Promise<KnownToken | null> {
  // Refresh tokens of ours have no dots, and access tokens always.
  const claims = token.includes('.') ? readClaims(call, token) : null
  if (claims !== null) {
    const familyId = familyOfTokenId(claims.jti)
    const family = await admitAndFind(call, findSql.byId, familyId)
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

const findSqlOf = (condition: string) => `WITH ${admissionSql.ctes}
     SELECT ${admissionSql.columns}, family.*
       FROM (SELECT 1) one LEFT JOIN (
         SELECT f.id, f.client_id, f.principal_id, f.kind, f.jkt, f.scope, f.resources, f.authorization_details, f.created_at,
                f.expires_at
           FROM token_families f JOIN clients c ON c.id = f.client_id JOIN principals p ON p.id = f.principal_id
          WHERE ${condition} AND f.revoked_at IS NULL AND f.expires_at > $4 AND c.revoked_at IS NULL AND NOT p.erased
            AND (f.client_id = $1 OR f.tenant_id = $1)) family ON true`

const byRefreshTokenSql = (condition: string) =>
  findSqlOf(`f.id = (SELECT family_id FROM refresh_tokens WHERE token_hash = $5 AND expires_at > $4 AND ${condition})`)

const findSql = {
  byId: findSqlOf('f.id = $5'),
  byRefreshToken: byRefreshTokenSql('rotated_at IS NULL'),
  byAnyRefreshToken: byRefreshTokenSql('true'),
} as const

type FoundRow = Admission & FamilyRow & { id: string | null }

async function admitAndFind({ platform, actor, now }: ClientCall, sql: string, value: string) {
  const { client, replayKeys } = actor
  const [row] = await platform.db.query<FoundRow>(sql, [...admissionValues(client.id, replayKeys), now, value])
  invariant(row !== undefined, 'the statement answers with one row')
  requireAdmission(row, replayKeys)
  const { id } = row
  return id === null ? null : { ...row, id }
}
