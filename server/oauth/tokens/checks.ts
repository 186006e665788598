import type { ClientCall } from '../../base/core/call'
import { buildBarredError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import { admitClient, buildRevokedClientError, requireAdmission } from '../clients'
import { endFamily } from './revoke-family'
import type { Grant } from './store'

/** The longest code or refresh token that is hashed; valid ones have 43 characters. */
export const OPAQUE_TOKEN_MAX_CHARS = 512

/** Returns 400 invalid_grant. The detail is only for the log. */
export const buildInvalidGrantError = (description: string, detail?: string) =>
  new ServiceError('invalid_grant', description, detail === undefined ? {} : { detail })

/** Returns a code or token; throws 400 invalid_request when it is absent, invalid_grant when it is too long. */
export function requireOpaque(value: string | undefined, name: string): string {
  if (value === undefined) throw new ServiceError('invalid_request', `${name} is required.`)
  if (value.length > OPAQUE_TOKEN_MAX_CHARS) throw buildInvalidGrantError(`The ${name} is invalid.`)
  return value
}

/**
 * Throws unless the grant is the client's and bound to its key. Only such a caller may cause a revocation by replay, so
 * that others cannot cut off an agent with a leaked old token.
 */
export function requireHolder(call: ClientCall, grant: Grant | null, name: string): asserts grant is Grant {
  if (grant === null || grant.client_id !== call.actor.client.id)
    throw buildInvalidGrantError(`The ${name} is invalid.`)
  if (grant.jkt !== call.actor.dpop?.jkt) throw buildInvalidGrantError(`The ${name} is bound to another DPoP key.`)
}

/** Throws 401 invalid_client for a revoked client, 400 access_denied for a person who is erased or restricted. */
export function requireActiveGrant(grant: Grant): void {
  if (!grant.active) throw buildRevokedClientError()
  if (grant.barred) throw buildBarredError()
}

/** Consumes the caller's proofs and throws unless they were unused. Runs before a replay revokes anything. */
export async function requireUnusedProofs(call: ClientCall): Promise<void> {
  const { client, replayKeys } = call.actor
  requireAdmission(await admitClient(call.platform.db, client.id, replayKeys), replayKeys)
}

const replays = {
  code: { reason: 'authorization_code_replay', word: 'replay' },
  refresh_token: { reason: 'refresh_token_reuse', word: 'reuse' },
} as const

/**
 * Revokes the family whose code or rotated refresh token is replayed (RFC 9700 section 4.14.2); throws 400
 * invalid_grant.
 */
export async function revokeReplayedFamily(
  call: ClientCall,
  name: keyof typeof replays,
  familyId: string | null,
): Promise<never> {
  const { platform, actor, now } = call
  const { reason, word } = replays[name]
  if (familyId !== null) {
    await endFamily(platform.db, { familyId, reason, actor: { kind: 'agent', id: actor.client.id }, now })
  }
  throw buildInvalidGrantError(`The ${name} was used before.`, `family ${familyId ?? 'none'} revoked on ${word}`)
}
