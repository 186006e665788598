import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import { announceChange } from '../../base/core/announce-change'
import type { ClientCall } from '../../base/core/call'
import { announceStop } from '../../money/settlement'
import { revokeFamilyOf } from '../../oauth/tokens'
import type { revokeTokenEndpoint } from '../../oauth/tokens/contract'

/**
 * POST /oauth/revoke (RFC 7009 section 2): revokes the token's family, and closes its payment that waits for the bank.
 * Unknown and inactive tokens, and those of others, get the same empty 200. It is here because tokens cannot import
 * settlement.
 */
export async function revokeToken(call: ClientCall, { token }: InputOf<typeof revokeTokenEndpoint>): Promise<Reply> {
  const known = await revokeFamilyOf(call, token)
  if (known === null) return Reply.empty(200)
  const { kind, principal_id: principalId } = known.family
  await (kind === 'payment' ? announceStop(call.platform, principalId) : announceChange(call.platform, principalId))
  return Reply.empty(200)
}
