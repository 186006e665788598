import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { BackendCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { recordOperatorAct } from '../../shared/audit'
import { updateRefused } from '../../wallet/enrolments'
import type { revokeTrustMarkEndpoint } from './contract'
import { rolesOfMark } from './enrolment-terms'
import { requireMarkId } from './mark-name'
import { revokeMark } from './trust-mark-store'

type Revoke = typeof revokeTrustMarkEndpoint

/** POST /federation/trust-mark/revoke. A repetition gets the same answer. 404 for a mark that was never issued. */
export async function revokeTrustMark(call: BackendCall, query: InputOf<Revoke>): Promise<OutputOf<Revoke>> {
  const { platform, requestId, now } = call
  const name = { sub: query.sub, trustMarkId: requireMarkId(query) }
  const revoked = await platform.db.transaction(async (tx) => {
    const result = await revokeMark(tx, name, now)
    if (result?.isNew) {
      for (const role of rolesOfMark(platform.config, name.trustMarkId)) {
        await updateRefused(tx, { role, entityId: name.sub }, { refusal: 'mark_revoked', now })
      }
      await recordOperatorAct(tx, call, {
        what: 'revokeTrustMark',
        from: 'active',
        to: { status: 'revoked', trust_mark_id: name.trustMarkId },
        subjectId: name.sub,
      })
    }
    return result
  })
  if (revoked === null) throw new ServiceError('not_found', 'This trust mark was never issued to this subordinate.')
  if (revoked.isNew) platform.log.info('trust mark revoked', { requestId })
  const { sub, trustMarkId } = name
  const revokedAt = revoked.revokedAt.toISOString()
  return { sub, trust_mark_id: trustMarkId, trust_mark_type: trustMarkId, revoked_at: revokedAt }
}
