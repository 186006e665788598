import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { takeQuota } from '../../base/core/take-quota'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { lockActivePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import {
  type PasskeyCreation,
  RECOVERY_TRIES_PER_HOUR,
  type RecoveryView,
  type startRecoveryProcedure,
} from './contract'
import { notifySecurityChange } from './notify-security-change'
import { hashRecoveryCode } from './recovery-codes'
import { consumeRecoveryCode, findRecoveryCodes } from './recovery-store'
import { openRegistration } from './start-registration'
import { isFresh, stepUpRequired } from './step-up-required'
import { getPasskeyStatus } from './store'

export async function readRecovery({ platform, actor }: WalletCall): Promise<RecoveryView> {
  const found = await findRecoveryCodes(platform.db, actor.principalId)
  return found === null ? null : { left: found.left, made_at: found.madeAt.toISOString() }
}

/**
 * Uses up a recovery code in place of a passkey's confirmation, for one thing alone: to add a passkey. The person is
 * notified by mail. 403 step_up_required unless they have just signed in by a mailed link; 400 invalid_request for a code
 * that is not theirs or was used, 429 rate_limited after several of those.
 */
export async function startRecovery(
  call: WalletCall,
  { code }: ProcedureInput<typeof startRecoveryProcedure>,
): Promise<{ readonly challenge_id: string; readonly options: PasskeyCreation }> {
  const { platform, actor, now } = call
  const { principalId } = actor
  if (!isFresh(call)) throw stepUpRequired('sign_in')
  await takeQuota(platform.rateLimits, {
    key: `recovery:${principalId}`,
    limit: RECOVERY_TRIES_PER_HOUR,
    windowSeconds: 3_600,
    message: 'Too many recovery codes were tried. Try again later.',
  })
  await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, principalId)
    if (!(await consumeRecoveryCode(tx, hashRecoveryCode(code), { principalId, now }))) {
      throw new ServiceError('invalid_request', 'This is not one of your recovery codes, or it was used before.')
    }
    const { email } = await getPasskeyStatus(tx, principalId)
    await notifySecurityChange(tx, call, { principalId, change: 'recovery_code_used', email })
    const change = { what: 'recovery_codes', from: 'unused', to: 'used', passkey_id: null } as const
    const payload = { ...change, means: meansOf(actor) }
    await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  })
  nudgeJobs(platform)
  return openRegistration(call)
}
