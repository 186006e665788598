import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { resetPasskeys } from '../../identity/passkeys'
import { revokeAllSessions } from '../../identity/sessions'
import { recordOperatorAct } from '../../shared/audit'
import { requireActivePrincipal } from '../../shared/principals'
import type { resetPasskeysEndpoint } from './contract'

type Reset = typeof resetPasskeysEndpoint

/** POST /operator/principals/{principal_id}/passkeys/reset. Doing it again changes nothing. */
export async function resetPasskeysOf(call: OperatorCall, input: InputOf<Reset>): Promise<OutputOf<Reset>> {
  const { platform, requestId } = call
  const principalId = input.principal_id
  const { tenant_id: tenantId } = await requireActivePrincipal(platform.db, principalId)
  const person = { tenantId, principalId }
  const act = { what: 'resetPasskeys', subjectId: principalId, person }
  const removed = await resetPasskeys(call, principalId, (tx, count) =>
    recordOperatorAct(tx, call, { ...act, from: { passkeys: count }, to: { passkeys: 0 } }),
  )
  const ended = await revokeAllSessions(platform, principalId)
  platform.log.info('passkeys reset', { requestId, principalId, removed })
  return { principal_id: principalId, passkeys_removed: removed, sessions_ended: ended }
}
