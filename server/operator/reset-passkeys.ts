import type { InputOf, OutputOf } from '../contract/endpoint'
import type { OperatorCall } from '../core/call'
import { resetPasskeys } from '../passkeys'
import { requirePrincipal } from '../principals'
import { revokeAllSessions } from '../sessions'
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
