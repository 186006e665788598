import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { takeQuota } from '../../base/core/take-quota'
import { sessionHandle } from '../../base/protocol/session-handle'
import {
  type PasskeyCreation,
  RECOVERY_TRIES_PER_HOUR,
  type RecoveryView,
  type startRecoveryProcedure,
} from './contract'
import { hashRecoveryCode } from './recovery-codes'
import { findRecoveryCodes, isUnusedRecoveryCode } from './recovery-store'
import { buildUnknownCodeError } from './redeem-recovery-code'
import { openRegistration } from './start-registration'
import { buildStepUpRequiredError, isFresh } from './step-up-required'

export async function readRecovery({ platform, actor }: WalletCall): Promise<RecoveryView> {
  const found = await findRecoveryCodes(platform.db, actor.principalId)
  return found === null ? null : { left: found.left, made_at: found.madeAt.toISOString() }
}

/**
 * Starts the registration of a passkey with a recovery code in place of a passkey's confirmation. The code is consumed
 * only when the registration is finished, so a cancelled prompt costs none. 403 step_up_required unless the person has
 * just signed in by a mailed link; 400 invalid_request for a code that is not the person's or was used; 429
 * rate_limited beyond ten of these in an hour of one session. A right code is never refused: codes are too long to be
 * guessed, so the quota only slows, and who else is signed in cannot use it up.
 */
export async function startRecovery(
  call: WalletCall,
  { code }: ProcedureInput<typeof startRecoveryProcedure>,
): Promise<{ readonly challenge_id: string; readonly options: PasskeyCreation }> {
  const { platform, actor } = call
  const { principalId, session } = actor
  if (session === null || !isFresh(call)) throw buildStepUpRequiredError('sign_in')
  if (await isUnusedRecoveryCode(platform.db, hashRecoveryCode(code), principalId)) {
    return openRegistration(call, 'recover')
  }
  await takeQuota(platform.rateLimits, {
    key: `recovery:${sessionHandle(session.id)}`,
    limit: RECOVERY_TRIES_PER_HOUR,
    windowSeconds: 3_600,
    message: 'Too many recovery codes were tried. Try again later.',
  })
  throw buildUnknownCodeError()
}
