import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { notifySecurityChange } from './notify-security-change'
import { hashRecoveryCode } from './recovery-codes'
import { consumeRecoveryCode } from './recovery-store'

/**
 * Consumes a recovery code for the passkey that the transaction adds, and notifies the person by mail. 400
 * invalid_request for a code that is not the person's or was used.
 */
export async function redeemRecoveryCode(
  tx: Transaction,
  call: WalletCall,
  { code, email }: { readonly code: string; readonly email: string | null },
): Promise<void> {
  const { actor, now } = call
  const { principalId } = actor
  if (!(await consumeRecoveryCode(tx, hashRecoveryCode(code), { principalId, now }))) throw buildUnknownCodeError()
  await notifySecurityChange(tx, call, { principalId, change: 'recovery_code_used', email })
  const change = { what: 'recovery_codes', from: 'unused', to: 'used', passkey_id: null } as const
  await recordPersonAct(tx, call, {
    event: 'oid4ac.security.changed',
    payload: { ...change, means: meansOf(actor) },
  })
}

export function buildUnknownCodeError(): ServiceError {
  return new ServiceError('invalid_request', 'This is not one of your recovery codes, or it was used before.')
}
