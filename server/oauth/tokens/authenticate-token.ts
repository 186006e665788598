import { parseCredentials } from '../../base/contract/credentials'
import { paymentScopes } from '../../base/contract/scopes'
import type { Acr } from '../../base/core/authentication'
import type { AgentActor, ReplayKey, WalletActor } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { type AccessTokenClaims, audienceIncludes } from '../../base/protocol/access-token'
import { consumeReplayKeysSql, replayKeyOf } from '../clients'
import { buildDpopChallengeError, buildUsedProofError, type TokenEndpoint } from './dpop-challenge'
import { type FamilyKind, isActiveFamily } from './store'
import { familyOfTokenId } from './token-id'
import { verifyToken, verifyTokenProof } from './verify-token'

/** The token and proof that a resource endpoint received, with the actor and scope that it requires. */
export interface PresentedToken {
  readonly actor: 'wallet' | 'agent'
  readonly scope: string | null
  readonly authorization: string | null
  readonly proof: string | null
  readonly method: string
  readonly uri: string
  readonly now: Date
}

type FamilyState = Row<
  'TokenFamily',
  'client_id' | 'principal_id' | 'tenant_id' | 'kind' | 'acr' | 'auth_time',
  { kind: FamilyKind; acr: Acr }
> & {
  /** The registered scopes of the agent; null for the client of a sandbox session, which is no agent. */
  registered: string[] | null
  fresh: string[]
}

/**
 * Verifies an access token at an endpoint of this server: signature, time and type, binding to the proof's key (RFC
 * 9449 section 7.1), that its family, client and person are active, the kind of token and its scope. The proof's `jti`
 * is consumed in the statement that reads the family, so every committed revocation is seen.
 */
export async function authenticateToken(
  platform: Platform,
  presented: PresentedToken,
): Promise<WalletActor | AgentActor> {
  const endpoint = { platform, takesBearer: presented.actor === 'wallet' && !platform.config.requireDpop }
  const { scheme, token } = parseAuthorization(endpoint, presented)
  const claims = await verifyPresented(endpoint, token, presented)
  const isWithoutProof = presented.proof === null && scheme === 'bearer'
  const proof = isWithoutProof ? null : await verifyTokenProof(endpoint, presented, { token, claims })
  const replayKeys = proof === null ? [] : [replayKeyOf(proof)]
  const family = await findActiveFamily(platform, claims.jti, replayKeys)
  if (family === null) throw buildTokenError(endpoint, 'The token has been revoked.')
  if (!replayKeys.every(({ key }) => family.fresh.includes(key))) throw buildUsedProofError(endpoint)
  return presented.actor === 'wallet'
    ? toWalletActor(endpoint, claims, family, presented.scope)
    : toAgentActor(endpoint, claims, family, presented.scope)
}

function parseAuthorization(endpoint: TokenEndpoint, { authorization }: PresentedToken) {
  const { platform, takesBearer } = endpoint
  if (authorization === null) {
    throw buildDpopChallengeError(platform, { error: null, description: 'An access token is required.', takesBearer })
  }
  const credentials = parseCredentials(authorization)
  if (credentials === null) throw buildTokenError(endpoint, 'The Authorization header is malformed.')
  const { scheme, token } = credentials
  if (scheme !== 'dpop' && !(scheme === 'bearer' && takesBearer)) {
    throw buildTokenError(endpoint, 'Present the token with the DPoP scheme.')
  }
  return { scheme, token }
}

async function verifyPresented(
  endpoint: TokenEndpoint,
  token: string,
  { now, actor }: PresentedToken,
): Promise<AccessTokenClaims> {
  const claims = await verifyToken(endpoint, token, now)
  // At settlement the audience may be the mandate's merchant instead; the verb knows the mandate.
  if (actor === 'wallet' && !audienceIncludes(claims, endpoint.platform.config.baseUrl)) {
    throw buildTokenError(endpoint, 'The token is for another audience.')
  }
  return claims
}

async function findActiveFamily(
  platform: Platform,
  jti: string,
  keys: readonly ReplayKey[],
): Promise<FamilyState | null> {
  const [row] = await platform.db.query<FamilyState>(
    sql`WITH family AS (
       SELECT f.client_id, f.principal_id, f.tenant_id, f.kind, f.acr, f.auth_time,
              (SELECT a.scope FROM agents a WHERE a.id = f.client_id) AS registered
         FROM token_families f JOIN active_clients c ON c.id = f.client_id
         JOIN active_principals p ON p.id = f.principal_id
        WHERE f.id = ${familyOfTokenId(jti)} AND f.revoked_at IS NULL),
     fresh AS (${consumeReplayKeysSql(keys, sql`EXISTS (SELECT 1 FROM family)`)})
     SELECT family.*, coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh FROM family`,
  )
  return row ?? null
}

function toWalletActor(
  endpoint: TokenEndpoint,
  claims: AccessTokenClaims,
  family: FamilyState,
  scope: string | null,
): WalletActor {
  // A token for payments gives no access to the person's data, whatever its scope.
  if (family.kind !== 'wallet' || claims.sub !== family.principal_id) {
    throw buildTokenError(endpoint, 'A wallet-session access token is required.')
  }
  requireScope(endpoint, claims, scope)
  const { principal_id: principalId, tenant_id: tenantId, registered, acr, auth_time: authTime } = family
  const token = {
    agentClientId: registered === null ? null : family.client_id,
    mayPay: registered?.some((name) => paymentScopes.has(name)) ?? false,
    acr,
    authTime,
    isActive: (db: Queryable) => isActiveFamily(db, familyOfTokenId(claims.jti)),
  }
  return { kind: 'wallet', principalId, tenantId, via: 'token', token, session: null }
}

function toAgentActor(
  endpoint: TokenEndpoint,
  claims: AccessTokenClaims,
  family: FamilyState,
  scope: string | null,
): AgentActor {
  requireScope(endpoint, claims, scope)
  return {
    kind: 'agent',
    clientId: family.client_id,
    principalId: family.principal_id,
    tenantId: family.tenant_id,
    familyId: familyOfTokenId(claims.jti),
    jkt: claims.cnf.jkt,
    audience: typeof claims.aud === 'string' ? [claims.aud] : claims.aud,
    scope: claims.scope.split(' '),
  }
}

/** Throws unless the token has the scope, which the refusal names (RFC 6750 section 3.1). */
function requireScope({ platform, takesBearer }: TokenEndpoint, claims: AccessTokenClaims, scope: string | null): void {
  if (scope === null || claims.scope.split(' ').includes(scope)) return
  const parameters = `realm="${platform.config.baseUrl}", error="insufficient_scope", scope="${scope}"`
  const schemes = takesBearer ? ['DPoP', 'Bearer'] : ['DPoP']
  const headers = { 'www-authenticate': schemes.map((scheme) => `${scheme} ${parameters}`).join(', ') }
  throw new ServiceError('insufficient_scope', `The scope ${scope} is required.`, { headers })
}

function buildTokenError({ platform, takesBearer }: TokenEndpoint, description: string): ServiceError {
  return buildDpopChallengeError(platform, { error: 'invalid_token', description, takesBearer })
}
