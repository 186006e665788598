import type { ClientCall } from '../../base/core/call'
import { sha256Base64url } from '../../base/protocol/encoding'
import { requireAdmission } from '../clients'
import {
  buildInvalidGrantError,
  requireActiveGrant,
  requireHolder,
  requireOpaque,
  requireUnusedProofs,
  revokeReplayedFamily,
} from './checks'
import type { TokenParameters } from './contract'
import { buildTokenResponse, type PreparedGrant } from './grant'
import { narrowGrant } from './narrow'
import { findRefreshToken, rotateRefreshToken } from './store'

/**
 * Prepares the refresh grant: a new pair of tokens for the newest refresh token of an active family. Reuse of a rotated
 * token by its holder ends the family (RFC 9700 section 4.14.2). Issues no mandate, and no token that outlasts the
 * family.
 */
export async function prepareRotation(call: ClientCall, input: TokenParameters): Promise<PreparedGrant> {
  const { platform, actor, now } = call
  const tokenHash = sha256Base64url(requireOpaque(input.refresh_token, 'refresh_token'))
  const row = await findRefreshToken(platform.db, tokenHash)
  requireHolder(call, row, 'refresh_token')
  if (row.revoked_at !== null) throw buildInvalidGrantError('The refresh_token has been revoked.')
  if (row.rotated_at !== null) {
    await requireUnusedProofs(call)
    return revokeReplayedFamily(call, 'refresh_token', row.family_id)
  }
  if (row.expires_at <= now) throw buildInvalidGrantError('The refresh_token has expired.')
  requireActiveGrant(row)
  const coverage = narrowGrant(row, input)
  const successor = platform.random.token(32)
  const { family_id: familyId, principal_id: principalId } = row
  const rotation = { tokenHash, familyId, principalId, successorHash: sha256Base64url(successor), now }
  return {
    familyId,
    write: (db) => rotateRefreshToken(db, rotation, actor.replayKeys),
    reply: () =>
      buildTokenResponse(
        platform,
        { ...row, familyId, mandateId: null, familyExpiresAt: row.family_expires_at, now },
        { coverage, refreshToken: successor },
      ),
    explain: (fresh) => throwUnrotated(call, tokenHash, fresh),
  }
}

async function throwUnrotated(call: ClientCall, tokenHash: string, fresh: readonly string[]): Promise<never> {
  requireAdmission({ active: true, fresh }, call.actor.replayKeys)
  const row = await findRefreshToken(call.platform.db, tokenHash)
  if (row === null || row.revoked_at !== null) throw buildInvalidGrantError('The refresh_token has been revoked.')
  if (row.rotated_at !== null) return revokeReplayedFamily(call, 'refresh_token', row.family_id)
  requireActiveGrant(row)
  throw buildInvalidGrantError('The refresh_token has expired.')
}
