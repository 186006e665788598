import type { Client, ReplayKey } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import {
  CLIENT_ASSERTION_TYPE,
  CLIENT_AUTHENTICATION_FAILED,
  decodeClientAssertion,
  verifyClientAssertion,
} from '../../base/protocol/client-assertion'
import type { DpopProof } from '../../base/protocol/dpop'
import { ED25519_ALGORITHMS } from '../../base/protocol/eddsa'
import { sha256Base64url } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { CLIENT_ALGORITHMS } from '../../base/protocol/jws'
import { findClient } from './store'

/** The parameters with which a caller authenticates, from the body or the headers. */
export interface ClientCredentials {
  readonly clientId: string | undefined
  readonly assertionType: string | undefined
  readonly assertion: string | undefined
}

/**
 * Authenticates a client by `private_key_jwt` (RFC 7523 section 2.2). Returns the assertion's `jti`, not yet consumed.
 * An unknown client and an invalid signature get the same error.
 */
export async function authenticateClient(platform: Platform, credentials: ClientCredentials, now: Date) {
  const { assertion, assertionType, clientId } = credentials
  if (assertion === undefined) throw new ServiceError('invalid_client', 'A client assertion is required.')
  if (assertionType !== CLIENT_ASSERTION_TYPE) {
    throw new ServiceError('invalid_request', `client_assertion_type must be ${CLIENT_ASSERTION_TYPE}.`)
  }
  const claimed = await withClientErrors(() => decodeClientAssertion(assertion))
  if (clientId !== undefined && clientId !== claimed) {
    throw new ServiceError('invalid_client', 'client_id and the assertion name different clients.')
  }
  const client = await findClient(platform.db, claimed)
  if (client === null)
    throw new ServiceError('invalid_client', `${CLIENT_AUTHENTICATION_FAILED}.`, { detail: 'unknown client' })
  return { client, replayKey: await verifyAssertionOf(platform, client, { assertion, now }) }
}

async function verifyAssertionOf(
  platform: Platform,
  client: Client,
  { assertion, now }: { assertion: string; now: Date },
): Promise<ReplayKey> {
  const { baseUrl, legacyRs256Until } = platform.config
  const legacyRs256 = client.kind === 'agent' && legacyRs256Until !== null && now < legacyRs256Until
  const checked = await withClientErrors(() =>
    verifyClientAssertion({
      assertion,
      clientId: client.id,
      issuer: baseUrl,
      jwks: client.jwks,
      now,
      algorithms: client.kind === 'wallet' ? ED25519_ALGORITHMS : CLIENT_ALGORITHMS,
      legacyRs256,
    }),
  )
  return { kind: 'assertion', key: replayKey('assertion', client.id, checked.jti), expiresAt: checked.expiresAt }
}

/** Returns what is stored of a DPoP proof once it is used. */
export function replayKeyOf({ jkt, jti, replayUntil }: DpopProof): ReplayKey {
  return { kind: 'dpop', key: replayKey('dpop', jkt, jti), expiresAt: replayUntil }
}

/** Returns the key under which a used `jti` is stored; `owner` separates the identifiers of different parties. */
function replayKey(kind: ReplayKey['kind'], owner: string, jti: string): string {
  return sha256Base64url(JSON.stringify([kind, owner, jti]))
}

async function withClientErrors<T>(check: () => T | Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new ServiceError('invalid_client', `${error.message}.`, { cause: error })
  }
}

/** Returns 401 invalid_client: the client has been revoked. */
export function buildRevokedClientError(): ServiceError {
  return new ServiceError('invalid_client', 'The client has been revoked.')
}

/** Throws when the client is revoked or one of its single-use identifiers was used before. */
export function requireAdmission(
  admission: { active: boolean; fresh: readonly string[] },
  keys: readonly ReplayKey[],
): void {
  if (!admission.active) throw buildRevokedClientError()
  const used = keys.find((key) => !admission.fresh.includes(key.key))
  if (used?.kind === 'assertion') throw new ServiceError('invalid_client', 'The client assertion was used before.')
  if (used !== undefined) throw new ServiceError('invalid_dpop_proof', 'The DPoP proof was used before.')
}
