import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { proveStepUp } from '../../identity/passkeys'
import type { takeDataProcedure } from './contract'
import { PORTABILITY_FILE, takeData } from './export-data'
import { askForData } from './request-access'

type Confirmed = ProcedureInput<typeof takeDataProcedure>

/** Mails the person's data from the portal. 403 step_up_required: a thief with a session gets nothing by it. */
export async function askForDataConfirmed(call: WalletCall, { proof }: Confirmed) {
  await proveStepUp(call, { purpose: 'privacy.data', subject: { right: 'access' } }, proof)
  return askForData(call)
}

/** The person's data as the file that it is over HTTP, for the portal. 403 step_up_required. */
export async function takeDataConfirmed(
  call: WalletCall,
  { proof }: Confirmed,
): Promise<{ readonly name: string; readonly json: string }> {
  await proveStepUp(call, { purpose: 'privacy.data', subject: { right: 'portability' } }, proof)
  return { name: PORTABILITY_FILE, json: await takeData(call) }
}
