import type { ClientCall } from '../../base/core/call'
import { failpoint } from '../../base/core/failpoints'
import { findTokenToRevoke, type KnownToken } from './known-token'
import { endFamily } from './revoke-family'

/**
 * Revokes the whole family of an access or refresh token (RFC 7009 section 2); resolves after the commit. Returns null,
 * and changes nothing, for unknown and inactive tokens and for those of others.
 */
export async function revokeFamilyOf(call: ClientCall, token: string): Promise<KnownToken | null> {
  const known = await findTokenToRevoke(call, token)
  if (known === null) return null
  const { client } = call.actor
  await endFamily(call.platform.db, {
    familyId: known.familyId,
    reason: 'revocation_request',
    actor: { kind: client.kind === 'wallet' ? 'wallet_client' : 'agent', id: client.id },
    now: call.now,
  })
  await failpoint('revoke.after_db_commit')
  return known
}
