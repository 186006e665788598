import { Reply } from '../../base/contract/reply'
import type { ClientCall } from '../../base/core/call'
import { failpoint } from '../../base/core/failpoints'
import { findTokenToRevoke } from './known-token'
import { endFamily } from './revoke-family'

/**
 * POST /oauth/revoke (RFC 7009 section 2): revokes the whole family of an access or refresh token, and answers after
 * the commit. Unknown and inactive tokens, and those of others, get the same empty 200.
 */
export async function revoke(call: ClientCall, { token }: { token: string }): Promise<Reply> {
  const known = await findTokenToRevoke(call, token)
  if (known !== null) {
    const { client } = call.actor
    await endFamily(call.platform.db, {
      familyId: known.familyId,
      reason: 'revocation_request',
      actor: { kind: client.kind === 'wallet' ? 'wallet_client' : 'agent', id: client.id },
      now: call.now,
    })
    await failpoint('revoke.after_db_commit')
  }
  return Reply.empty(200)
}
