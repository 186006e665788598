import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { markPhoneConfirmed } from '../../shared/notifications'
import { lockActivePrincipal } from '../../shared/principals'
import { CODE_TRIES_MAX, type confirmPhoneProcedure } from './contract'
import { isPhoneCode } from './phone-code'
import { deletePhoneCode, takeTry } from './phone-code-store'

type Outcome = { readonly confirmed: true } | { readonly confirmed: false; readonly triesLeft: number }

/**
 * Confirms the saved phone with the code that was sent to it. From 24 hours later the phone may approve limit requests.
 * 400 invalid_request for a wrong code; 409 conflict when there is no code to enter: it has expired, was tried five
 * times, or another phone was saved.
 */
export async function confirmPhone(
  call: WalletCall,
  { code }: ProcedureInput<typeof confirmPhoneProcedure>,
): Promise<{ readonly ok: true }> {
  const { platform, actor } = call
  // A wrong code is refused only after the transaction, so that the try stays counted.
  const outcome = await platform.db.transaction((tx) => tryCode(tx, call, code))
  if (!outcome.confirmed) throw buildWrongCodeError(outcome.triesLeft)
  await announceChange(platform, actor.principalId)
  return { ok: true }
}

async function tryCode(tx: Transaction, { platform, actor, now }: WalletCall, code: string): Promise<Outcome> {
  const { principalId } = actor
  await lockActivePrincipal(tx, principalId)
  const open = await takeTry(tx, principalId, now)
  if (open === null) throw buildNoCodeError()
  const { phone_e164: phone, code_hash: wanted, tries } = open
  if (!isPhoneCode(platform, { principalId, phone, code }, wanted)) {
    return { confirmed: false, triesLeft: CODE_TRIES_MAX - tries }
  }
  await deletePhoneCode(tx, { principalId })
  if (!(await markPhoneConfirmed(tx, principalId, { phone, at: now }))) throw buildNoCodeError()
  const payload = { what: 'phone', from: 'saved', to: 'confirmed', means: meansOf(actor), passkey_id: null } as const
  await recordPersonAct(tx, { actor, now }, { event: 'oid4ac.security.changed', payload })
  return { confirmed: true }
}

const buildNoCodeError = () => new ServiceError('conflict', 'There is no code to enter any more. Send a new one.')

function buildWrongCodeError(triesLeft: number): ServiceError {
  const description = triesLeft === 0 ? 'This code is not correct. Send a new one.' : 'This code is not correct.'
  return new ServiceError('invalid_request', description, { members: { tries_left: triesLeft } })
}
