import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { recordPersonAct } from '../../shared/audit'
import { lockActivePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { type makeRecoveryCodesProcedure, RECOVERY_CODES } from './contract'
import { notifySecurityChange } from './notify-security-change'
import { proveStepUp } from './prove-step-up'
import { hashRecoveryCode, newRecoveryCode } from './recovery-codes'
import { deleteRecoveryCodes, insertRecoveryCodes } from './recovery-store'
import { readPasskeyStatus } from './store'

/**
 * Replaces the person's recovery codes, once they have confirmed it, and notifies them by mail. The codes are returned
 * only here: only their hashes are stored. 403 step_up_required; 409 conflict without a passkey.
 */
export async function makeRecoveryCodes(
  call: WalletCall,
  { proof }: ProcedureInput<typeof makeRecoveryCodesProcedure>,
): Promise<{ readonly codes: readonly string[] }> {
  const { platform, actor, now } = call
  const { principalId } = actor
  const { method: means } = await proveStepUp(call, { purpose: 'recovery.codes', subject: {} }, proof)
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(platform.random))
  await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, principalId)
    const { passkeys, email } = await readPasskeyStatus(tx, principalId)
    if (passkeys === 0) throw new ServiceError('conflict', 'Add a passkey first.')
    await deleteRecoveryCodes(tx, principalId)
    await insertRecoveryCodes(tx, codes.map(hashRecoveryCode), { principalId, now })
    await notifySecurityChange(tx, call, { principalId, change: 'recovery_codes_made', email })
    const payload = { what: 'recovery_codes', from: null, to: 'made', means, passkey_id: null } as const
    await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  })
  nudgeJobs(platform)
  return { codes }
}
