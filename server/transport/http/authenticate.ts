import { parseCredentials } from '../../base/contract/credentials'
import type { Access } from '../../base/contract/endpoint'
import { requireOperatorToken } from '../../base/contract/operator-token'
import type { Actor, BackendActor, ReplayKey } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { sandboxMode } from '../../base/core/sandbox-mode'
import { CLIENT_ASSERTION_TYPE } from '../../base/protocol/client-assertion'
import { verifyDpopProof } from '../../base/protocol/dpop'
import { ProtocolError } from '../../base/protocol/errors'
import {
  admitClient,
  authenticateClient,
  buildRevokedClientError,
  isActiveClient,
  replayKeyOf,
  requireAdmission,
} from '../../oauth/clients'
import { authenticateToken } from '../../oauth/tokens'
import type { Exchange, SentParameters } from './exchange'

type ClientAccess = Extract<Access, { actor: 'client' }>
type BackendAccess = Extract<Access, { actor: 'backend' }>

/**
 * Whether the credential is checked before the body and its size, as endpoints for servers do. Those that take an access
 * token do so when there is no body, so that a call without both is told that it has no token.
 */
export function authenticatesFirst(
  { access }: Exchange['endpoint'],
  { hasBody }: Pick<Exchange['request'], 'hasBody'>,
): boolean {
  if (access.actor === 'wallet' || access.actor === 'agent') return !hasBody
  return access.actor === 'backend' || access.actor === 'operator'
}

/** Authenticates the caller as the contract requires; throws for all others. */
export async function authenticate(exchange: Exchange): Promise<void> {
  exchange.actor = await authenticateActor(exchange, exchange.endpoint.access)
}

function authenticateActor(exchange: Exchange, access: Access): Actor | Promise<Actor> {
  const { platform, request, now } = exchange
  switch (access.actor) {
    case 'anonymous':
      if (exchange.endpoint.guardedInPublic === true && platform.config.isSandboxPublic) authenticateOperator(exchange)
      return exchange.actor
    case 'operator':
      return authenticateOperator(exchange, access.alsoToken)
    case 'client':
      return authenticateCaller(exchange, access)
    case 'backend':
      return authenticateBackend(exchange, access)
    case 'wallet':
    case 'agent':
      return authenticateToken(platform, {
        actor: access.actor,
        scope: access.scope,
        authorization: request.header('authorization'),
        proof: request.header('dpop'),
        method: request.method,
        uri: platform.config.baseUrl + request.path,
        now,
      })
  }
}

function authenticateOperator({ request, platform }: Exchange, alsoToken?: 'metrics'): Actor {
  requireOperatorToken(platform.config, request.header('authorization'), alsoToken)
  return { kind: 'operator' }
}

/** Authenticates a backend, which must be the operator if the contract requires it. */
async function authenticateBackend(exchange: Exchange, { operatorOnly }: BackendAccess): Promise<Actor> {
  const actor = await authenticateBackendCaller(exchange)
  if (operatorOnly && actor.client !== null) throw new ServiceError('forbidden', 'Only the operator may do this.')
  return actor
}

/**
 * Authenticates by the operator token or a wallet client's assertion, of which only one may be sent. An invalid one is
 * always refused. A sandbox on a loopback host whose operator has set no token also accepts callers without either.
 */
async function authenticateBackendCaller({ request, platform, now }: Exchange): Promise<BackendActor> {
  const { config } = platform
  const authorization = request.header('authorization')
  const isAsserted = request.header('x-client-id') !== null || request.header('x-client-assertion') !== null
  if (authorization !== null && isAsserted) {
    throw new ServiceError('invalid_request', 'Send the operator token or a client assertion, not both.')
  }
  try {
    if (isAsserted) {
      const { client, replayKey: key } = await authenticateClient(platform, assertionInHeaders(request), now)
      if (client.kind === 'wallet') return { kind: 'backend', client, isUnidentified: false, replayKeys: [key] }
      throw new ServiceError('invalid_client', 'Only wallet clients may call this endpoint.')
    }
    const isUnidentified = authorization === null && isOpenSandbox(config)
    if (!isUnidentified) requireOperatorToken(config, authorization)
    return { kind: 'backend', client: null, isUnidentified, replayKeys: [] }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error
    const headers = { 'www-authenticate': `Bearer realm="${config.baseUrl}"` }
    throw new ServiceError('invalid_client', error.description, { headers, cause: error })
  }
}

const isOpenSandbox = (config: Platform['config']): boolean =>
  sandboxMode(config) === 'local' && !config.operatorTokenConfigured

/**
 * Verifies the DPoP proof, which needs no look-up and whose nonce challenge must consume nothing, and then the
 * assertion. Neither is consumed here, so that a request that exceeds the quota may be sent again unchanged.
 */
async function authenticateCaller(exchange: Exchange, access: ClientAccess): Promise<Actor> {
  const { platform, now, sent } = exchange
  const dpop = access.dpop === 'mint' ? await verifyMintProof(exchange) : null
  if (dpop !== null && access.anonymousGrant !== undefined && sent.body['grant_type'] === access.anonymousGrant) {
    return { kind: 'key', jkt: dpop.jkt, replayKeys: [dpop.replayKey] }
  }
  const { client, replayKey: assertionKey } = await authenticateClient(platform, credentialsOf(exchange, access), now)
  if (access.kind !== 'any' && client.kind !== access.kind) {
    throw new ServiceError('invalid_client', `Only ${access.kind} clients may call this endpoint.`)
  }
  const replayKeys: ReplayKey[] = dpop === null ? [assertionKey] : [assertionKey, dpop.replayKey]
  return { kind: 'client', client, dpop: dpop && { jkt: dpop.jkt, jwk: dpop.jwk }, replayKeys }
}

/**
 * Adds the challenge of the endpoint to a 401, which must have one (RFC 9110 section 15.5.2); returns other errors as
 * is.
 */
export function withChallenge({ endpoint: { access }, platform }: Exchange, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.status !== 401 || 'www-authenticate' in error.headers) return error
  const challenge = challengeOf(access, platform.config.baseUrl)
  if (challenge === null) return error
  const { code, description, members, status, cause } = error
  return new ServiceError(code, description, { members, headers: { ...error.headers, ...challenge }, status, cause })
}

/** Returns the challenge; null for credentials outside the Authorization header (RFC 6749 section 5.2). */
function challengeOf(access: Access, realm: string): { readonly 'www-authenticate': string } | null {
  if (access.actor === 'wallet' || access.actor === 'agent') {
    return { 'www-authenticate': `DPoP realm="${realm}", error="invalid_token"` }
  }
  const isPresented = access.actor === 'client' && access.credentials === 'authorization'
  return isPresented ? { 'www-authenticate': `PrivateKeyJwt realm="${realm}"` } : null
}

/** Throws when the calling client has been revoked. */
export async function requireActiveClient({ actor, platform }: Exchange): Promise<void> {
  const client = actor.kind === 'client' || actor.kind === 'backend' ? actor.client : null
  if (client !== null && !(await isActiveClient(platform.db, client.id))) throw buildRevokedClientError()
}

/** Consumes single-use identifiers and requires an active client, unless the verb does both in its own statement. */
export async function consumeCredentials({ endpoint: { access }, actor, platform }: Exchange): Promise<void> {
  if (actor.kind !== 'client' && actor.kind !== 'backend') return
  const { client, replayKeys } = actor
  if (client === null || (access.actor === 'client' && access.consumes === 'verb')) return
  requireAdmission(await admitClient(platform.db, client.id, replayKeys), replayKeys)
}

/** Verifies the proof. @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-5} and section 8 for the nonce. */
async function verifyMintProof({ request, platform, now }: Exchange) {
  try {
    const proof = await verifyDpopProof(request.header('dpop'), {
      method: request.method,
      uri: platform.config.baseUrl + request.path,
      now,
      nonceRequired: true,
      isNonceValid: (nonce) => platform.dpopNonces.isValid(nonce, now),
    })
    return { jkt: proof.jkt, jwk: proof.jwk, replayKey: replayKeyOf(proof) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const code = error.code === 'use_dpop_nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof'
    throw new ServiceError(code, `${error.message}.`, { cause: error })
  }
}

function credentialsOf({ request, sent, platform }: Exchange, access: ClientAccess) {
  const authorization = request.header('authorization')
  if (access.credentials === 'authorization') {
    const credentials = parseCredentials(authorization)
    return {
      clientId: text(sent.query['client_id']),
      assertionType: CLIENT_ASSERTION_TYPE,
      assertion: credentials?.scheme === 'privatekeyjwt' ? credentials.token : undefined,
    }
  }
  if (access.credentials === 'headers') return assertionInHeaders(request)
  requireOneMethod({ authorization, body: sent.body }, platform)
  const type = sent.body['client_assertion_type']
  return {
    clientId: text(sent.body['client_id']),
    assertionType: type === undefined && access.assertionType === 'optional' ? CLIENT_ASSERTION_TYPE : text(type),
    assertion: text(sent.body['client_assertion']),
  }
}

function assertionInHeaders(request: Exchange['request']) {
  return {
    clientId: request.header('x-client-id') ?? undefined,
    assertionType: CLIENT_ASSERTION_TYPE,
    assertion: request.header('x-client-assertion') ?? undefined,
  }
}

/**
 * Throws for any method besides private_key_jwt in the body, also in addition to it (RFC 6749 section 2.3). An
 * Authorization header alone is answered with a challenge (section 5.2).
 */
function requireOneMethod(
  { authorization, body }: { authorization: string | null; body: SentParameters['body'] },
  platform: Platform,
): void {
  const description = 'Use private_key_jwt and no other client authentication.'
  const others = [body['client_secret'], body['client_assertion']].some((value) => value !== undefined)
  if (authorization !== null && !others) {
    const headers = { 'www-authenticate': `Basic realm="${platform.config.baseUrl}"` }
    throw new ServiceError('invalid_client', description, { headers })
  }
  if (authorization !== null || body['client_secret'] !== undefined) {
    throw new ServiceError('invalid_request', description)
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
