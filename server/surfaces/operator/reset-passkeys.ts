import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { resetPasskeys } from '../../identity/passkeys'
import { revokeAllSessions } from '../../identity/sessions'
import { requirePrincipal } from '../../shared/principals'
import type { resetPasskeysEndpoint } from './contract'

type Reset = typeof resetPasskeysEndpoint

/** POST /operator/principals/{principal_id}/passkeys/reset. Doing it again changes nothing. */
export async function resetPasskeysOf(call: OperatorCall, input: InputOf<Reset>): Promise<OutputOf<Reset>> {
  const { platform, requestId } = call
  const principalId = input.principal_id
  await requirePrincipal(platform.db, principalId)
  const removed = await resetPasskeys(call, principalId)
  const ended = await revokeAllSessions(platform, principalId)
  platform.log.info('passkeys reset', { requestId, principalId, removed })
  return { principal_id: principalId, passkeys_removed: removed, sessions_ended: ended }
}
