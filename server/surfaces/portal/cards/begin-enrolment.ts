import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { proveStepUp } from '../../../identity/passkeys'
import { createSetupIntent } from '../../../wallet/cards'
import type { beginEnrolmentProcedure } from './contract'

/** Begins the enrolment of a card once the person has confirmed that they want to add one. 403 step_up_required. */
export async function beginEnrolment(call: WalletCall, { proof }: ProcedureInput<typeof beginEnrolmentProcedure>) {
  await proveStepUp(call, { purpose: 'card.add', subject: {} }, proof)
  return createSetupIntent.verb(call)
}
