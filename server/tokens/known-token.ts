import type { ClientCall } from '../core/call'
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

const familyOfRefreshTokenSql = (condition: string) =>
  `f.id = (SELECT family_id FROM refresh_tokens WHERE token_hash = $1 AND expires_at > $2 AND ${condition})`

/**
 * Finds the living token that a caller names, by what it is rather than by the hint. Null when it is unknown, expired or
 * revoked, and when it is not the caller's to know: an agent knows its own tokens, a wallet client those of its tenant.
 */
export function findKnownToken(call: ClientCall, token: string): Promise<KnownToken | null> {
  return findToken(call, token, familyOfRefreshTokenSql('rotated_at IS NULL'))
}

/**
 * The same for whoever wants the token gone. A refresh token that was exchanged is found too, since the exchange may have
 * overtaken the revocation, and its child must not live on.
 */
export function findTokenToRevoke(call: ClientCall, token: string): Promise<KnownToken | null> {
  return findToken(call, token, familyOfRefreshTokenSql('true'))
}

async function findToken(call: ClientCall, token: string, ofRefreshToken: string): Promise<KnownToken | null> {
  const claims = readClaims(call, token)
  if (claims !== null) {
    const familyId = familyOfTokenId(claims.jti)
    const family = await findFamily(call, 'f.id = $1', familyId)
    return family === null ? null : { familyId, claims, family }
  }
  if (token.length > REFRESH_TOKEN_MAX_CHARS) return null
  const family = await findFamily(call, ofRefreshToken, sha256Base64url(token))
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

async function findFamily({ platform, actor, now }: ClientCall, condition: string, value: string) {
  const [family] = await platform.db.query<FamilyRow & { id: string }>(
    `SELECT f.id, f.client_id, f.principal_id, f.kind, f.jkt, f.scope, f.resources, f.authorization_details, f.created_at,
            f.expires_at
       FROM token_families f JOIN clients c ON c.id = f.client_id JOIN principals p ON p.id = f.principal_id
      WHERE ${condition} AND f.revoked_at IS NULL AND f.expires_at > $2 AND c.revoked_at IS NULL AND NOT p.erased
        AND (f.client_id = $3 OR f.tenant_id = $3)`,
    [value, now, actor.client.id],
  )
  return family ?? null
}
