import { timingSafeEqual } from 'node:crypto'
import { admitClient, authenticateClient, isLivingClient, replayKey, requireAdmission, revokedClient } from '../clients'
import type { Access, EndpointShape } from '../contract/endpoint'
import type { Actor, ReplayKey } from '../core/call'
import { ServiceError } from '../core/errors'
import type { Platform } from '../core/platform'
import { CLIENT_ASSERTION_TYPE } from '../protocol/client-assertion'
import { checkDpopProof } from '../protocol/dpop'
import { sha256 } from '../protocol/encoding'
import { ProtocolError } from '../protocol/errors'
import { authenticateToken } from '../tokens'
import type { HttpRequest } from './exchange'
import { quotaOwner, requireQuota } from './quota'
import type { RawInput } from './read-input'

export interface Arrival {
  readonly endpoint: EndpointShape
  readonly request: HttpRequest
  readonly path: string
  readonly raw: RawInput
  readonly platform: Platform
  readonly now: Date
}

type ClientAccess = Extract<Access, { actor: 'client' }>

/** Finds out who calls, as the contract demands, and refuses everybody else, as well as who calls too often. */
export async function authenticate(arrival: Arrival): Promise<Actor> {
  const { endpoint, platform, request } = arrival
  if (endpoint.access.actor === 'client') return clientActor(arrival, endpoint.access)
  const actor = await identify(arrival, endpoint.access)
  await requireQuota({ endpoint, platform, owner: quotaOwner(actor, request.address) })
  return actor
}

function identify(arrival: Arrival, access: Exclude<Access, ClientAccess>): Actor | Promise<Actor> {
  switch (access.actor) {
    case 'anonymous':
      return { kind: 'anonymous' }
    case 'operator':
      return operatorActor(arrival)
    case 'wallet':
    case 'agent':
      return authenticateToken(arrival.platform, {
        actor: access.actor,
        scope: access.scope,
        authorization: arrival.request.header('authorization'),
        proof: arrival.request.header('dpop'),
        method: arrival.request.method,
        uri: arrival.platform.config.baseUrl + arrival.path,
        now: arrival.now,
      })
  }
}

function operatorActor({ request, platform }: Arrival): Actor {
  const [scheme, token] = (request.header('authorization') ?? '').split(' ')
  const isOperator =
    scheme?.toLowerCase() === 'bearer' &&
    timingSafeEqual(sha256(token ?? ''), sha256(platform.config.secrets.operatorToken))
  if (isOperator) return { kind: 'operator' }
  const headers = { 'www-authenticate': `Bearer realm="${platform.config.baseUrl}"` }
  throw new ServiceError('invalid_token', 'The operator token is required.', { headers })
}

/**
 * DPoP first, because it needs no look-up and its nonce challenge must consume nothing; then the assertion. The quota is
 * taken before either is used up, so that a refused request may be sent again as it is.
 */
async function clientActor(arrival: Arrival, access: ClientAccess): Promise<Actor> {
  const { platform, now } = arrival
  const dpop = access.dpop === 'mint' ? checkMintProof(arrival) : null
  const { client, replayKey: assertionKey } = await authenticateClient(platform, credentialsOf(arrival, access), now)
  if (access.kind !== 'any' && client.kind !== access.kind) {
    throw new ServiceError('invalid_client', 'This endpoint is not for this kind of client.')
  }
  const replayKeys: ReplayKey[] = dpop === null ? [assertionKey] : [assertionKey, dpop.replayKey]
  const actor: Actor = { kind: 'client', client, dpop: dpop && { jkt: dpop.jkt, jwk: dpop.jwk }, replayKeys }
  await requireQuota({ endpoint: arrival.endpoint, platform, owner: quotaOwner(actor, null) })
  return actor
}

interface Admitted {
  readonly endpoint: EndpointShape
  readonly actor: Actor
  readonly platform: Platform
}

/** A revoked client is told that it is one, whatever else is wrong with what it sends. */
export async function asLivingClient<T>({ actor, platform }: Admitted, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (actor.kind === 'client' && !(await isLivingClient(platform.db, actor.client.id))) throw revokedClient()
    throw error
  }
}

/** Uses up what may be used once and asks whether the client lives, unless the verb does both in its own statement. */
export async function admit({ endpoint: { access }, actor, platform }: Admitted): Promise<void> {
  if (actor.kind !== 'client' || access.actor !== 'client' || access.consumes === 'verb') return
  const { client, replayKeys } = actor
  requireAdmission(await admitClient(platform.db, client.id, replayKeys), replayKeys)
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-5} and section 8 for the nonce. */
function checkMintProof({ request, path, platform, now }: Arrival) {
  try {
    const proof = checkDpopProof(request.header('dpop'), {
      method: request.method,
      uri: platform.config.baseUrl + path,
      now,
      nonceRequired: true,
      isNonceValid: (nonce) => platform.dpopNonces.isValid(nonce, now),
    })
    const key = { kind: 'dpop', key: replayKey('dpop', proof.jkt, proof.jti), expiresAt: proof.replayUntil } as const
    return { jkt: proof.jkt, jwk: proof.jwk, replayKey: key }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const code = error.code === 'use_dpop_nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof'
    throw new ServiceError(code, `${error.message}.`, { cause: error })
  }
}

function credentialsOf({ request, raw, platform }: Arrival, access: ClientAccess) {
  const authorization = request.header('authorization')
  if (access.credentials === 'authorization') {
    const [scheme, assertion] = (authorization ?? '').split(' ')
    const isPrivateKeyJwt = scheme?.toLowerCase() === 'privatekeyjwt'
    return {
      clientId: text(raw.query['client_id']),
      assertionType: CLIENT_ASSERTION_TYPE,
      assertion: isPrivateKeyJwt ? assertion : undefined,
    }
  }
  if (access.credentials === 'headers') {
    return {
      clientId: request.header('x-client-id') ?? undefined,
      assertionType: CLIENT_ASSERTION_TYPE,
      assertion: request.header('x-client-assertion') ?? undefined,
    }
  }
  refuseOtherMethods({ authorization, body: raw.body }, platform)
  const type = raw.body['client_assertion_type']
  return {
    clientId: text(raw.body['client_id']),
    assertionType: type === undefined && access.assertionType === 'optional' ? CLIENT_ASSERTION_TYPE : text(type),
    assertion: text(raw.body['client_assertion']),
  }
}

/** RFC 6749 section 2.3: one authentication method per request; section 5.2: who tried a scheme is challenged for it. */
function refuseOtherMethods(
  { authorization, body }: { authorization: string | null; body: RawInput['body'] },
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
