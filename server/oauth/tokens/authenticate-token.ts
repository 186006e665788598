import type { AgentActor, ReplayKey, WalletActor } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { type AccessTokenClaims, audienceIncludes, verifyAccessToken } from '../../base/protocol/access-token'
import { checkDpopProof, type DpopProof } from '../../base/protocol/dpop'
import { ProtocolError } from '../../base/protocol/errors'
import { consumeReplayKeysSql, replayKey, requireAdmission } from '../clients'
import { familyOfTokenId } from './token-id'

/** What a resource endpoint of ours received. */
export interface PresentedToken {
  readonly actor: 'wallet' | 'agent'
  readonly scope: string | null
  readonly authorization: string | null
  readonly proof: string | null
  readonly method: string
  readonly uri: string
  readonly now: Date
}

/** Where a token is presented: the refusals name the schemes that would be taken there. */
interface Door {
  readonly platform: Platform
  readonly takesBearer: boolean
}

interface FamilyState {
  client_id: string
  principal_id: string
  tenant_id: string
  kind: 'payment' | 'wallet'
  fresh: string[]
}

/**
 * Verifies an access token at one of our own endpoints: signature, time and type, binding to the proof's key (RFC 9449
 * section 7.1), that its family, client and principal still live, the kind of token and its scope. The proof's `jti`
 * is consumed in the statement that reads the family, so a revocation that has committed always wins.
 */
export async function authenticateToken(
  platform: Platform,
  presented: PresentedToken,
): Promise<WalletActor | AgentActor> {
  const door = { platform, takesBearer: presented.actor === 'wallet' && !platform.config.requireDpop }
  const { scheme, token } = readAuthorization(door, presented)
  const claims = await verifyPresented(door, token, presented)
  const proof = await verifyProof(door, presented, { scheme, token, claims })
  const replayKeys: ReplayKey[] = proof === null ? [] : [replayKeyOf(proof)]
  const family = await readLivingFamily(platform, claims.jti, replayKeys)
  if (family === null) throw refuse(door, 'The token has been revoked.')
  rejectReplay(door, family, replayKeys)
  return presented.actor === 'wallet'
    ? walletActor(door, claims, family, presented.scope)
    : agentActor(door, claims, family, presented.scope)
}

function readAuthorization(door: Door, { authorization }: PresentedToken) {
  if (authorization === null) throw challenge(door, null, 'An access token is required.')
  const [scheme = '', token = '', ...rest] = authorization.split(' ')
  const kind = scheme.toLowerCase()
  if (rest.length > 0 || token === '') throw refuse(door, 'The Authorization header is malformed.')
  if (kind !== 'dpop' && !(kind === 'bearer' && door.takesBearer)) {
    throw refuse(door, 'Present the token with the DPoP scheme.')
  }
  return { scheme: kind as 'dpop' | 'bearer', token }
}

async function verifyPresented(door: Door, token: string, { now, actor }: PresentedToken): Promise<AccessTokenClaims> {
  const { platform } = door
  const claims = await asRefusal(door, () =>
    verifyAccessToken(token, {
      issuer: platform.config.baseUrl,
      now,
      findKey: (kid) => platform.keys.find('access_token', kid),
    }),
  )
  // At settlement the audience may be the mandate's merchant instead; the verb knows the mandate.
  if (actor === 'wallet' && !audienceIncludes(claims, platform.config.baseUrl)) {
    throw refuse(door, 'The token is for another audience.')
  }
  return claims
}

async function verifyProof(
  door: Door,
  presented: PresentedToken,
  token: { scheme: 'dpop' | 'bearer'; token: string; claims: AccessTokenClaims },
): Promise<DpopProof | null> {
  if (presented.proof === null && token.scheme === 'bearer') return null
  const { platform } = door
  return asRefusal(door, () =>
    checkDpopProof(presented.proof, {
      method: presented.method,
      uri: presented.uri,
      now: presented.now,
      accessToken: token.token,
      boundKey: token.claims.cnf.jkt,
      nonceRequired: false,
      isNonceValid: (nonce) => platform.dpopNonces.isValid(nonce, presented.now),
    }),
  )
}

function replayKeyOf(proof: DpopProof): ReplayKey {
  return { kind: 'dpop', key: replayKey('dpop', proof.jkt, proof.jti), expiresAt: proof.replayUntil }
}

async function readLivingFamily(
  platform: Platform,
  jti: string,
  keys: readonly ReplayKey[],
): Promise<FamilyState | null> {
  const [row] = await platform.db.query<FamilyState>(
    sql`WITH family AS (
       SELECT f.client_id, f.principal_id, f.tenant_id, f.kind
         FROM token_families f JOIN clients c ON c.id = f.client_id JOIN principals p ON p.id = f.principal_id
        WHERE f.id = ${familyOfTokenId(jti)} AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased),
     fresh AS (${consumeReplayKeysSql(keys, sql`EXISTS (SELECT 1 FROM family)`)})
     SELECT family.*, coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh FROM family`,
  )
  return row ?? null
}

function rejectReplay(door: Door, family: FamilyState, keys: readonly ReplayKey[]): void {
  try {
    requireAdmission({ live: true, fresh: family.fresh }, keys)
  } catch {
    throw challenge(door, 'invalid_dpop_proof', 'The DPoP proof was used before.')
  }
}

function walletActor(door: Door, claims: AccessTokenClaims, family: FamilyState, scope: string | null): WalletActor {
  // An agent-only token says nothing about the person, whatever its scope.
  if (family.kind !== 'wallet' || claims.sub !== family.principal_id) {
    throw refuse(door, 'A wallet-session access token is required.')
  }
  requireScope(door, claims, scope)
  const { principal_id: principalId, tenant_id: tenantId } = family
  return { kind: 'wallet', principalId, tenantId, via: 'token', session: null }
}

function agentActor(door: Door, claims: AccessTokenClaims, family: FamilyState, scope: string | null): AgentActor {
  requireScope(door, claims, scope)
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

/** RFC 6750 section 3.1: the refusal names the scope that would do. */
function requireScope({ platform, takesBearer }: Door, claims: AccessTokenClaims, scope: string | null): void {
  if (scope === null || claims.scope.split(' ').includes(scope)) return
  const parameters = `realm="${platform.config.baseUrl}", error="insufficient_scope", scope="${scope}"`
  const schemes = takesBearer ? ['DPoP', 'Bearer'] : ['DPoP']
  const headers = { 'www-authenticate': schemes.map((scheme) => `${scheme} ${parameters}`).join(', ') }
  throw new ServiceError('insufficient_scope', `The scope ${scope} is required.`, { headers })
}

async function asRefusal<T>(door: Door, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const code = error.code === 'use_dpop_nonce' || error.code === 'invalid_dpop_proof' ? error.code : 'invalid_token'
    throw challenge(door, code, `${error.message}.`)
  }
}

function refuse(door: Door, description: string): ServiceError {
  return challenge(door, 'invalid_token', description)
}

/** 401 with one challenge per scheme (RFC 9449 section 7.1, RFC 6750 section 3); the body always says `invalid_token`. */
function challenge({ platform, takesBearer }: Door, error: string | null, description: string): ServiceError {
  const reason = error === null ? '' : `, error="${error}"`
  const realm = `realm="${platform.config.baseUrl}"`
  const dpop = `DPoP ${realm}, algs="EdDSA Ed25519 ES256"${reason}`
  const bearer = takesBearer ? `, Bearer ${realm}${error === 'invalid_token' ? reason : ''}` : ''
  const nonce = error === 'use_dpop_nonce' ? { 'dpop-nonce': platform.dpopNonces.current(platform.clock.now()) } : {}
  return new ServiceError('invalid_token', description, { headers: { 'www-authenticate': dpop + bearer, ...nonce } })
}
