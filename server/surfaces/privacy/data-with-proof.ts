import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { proveStepUp } from '../../identity/passkeys'
import type { ownDataProcedure } from './contract'
import { PORTABILITY_FILE, renderPortabilityDump } from './export-data'
import { queueAccessMail } from './request-access'

type Confirmed = ProcedureInput<typeof ownDataProcedure>

/** Mails the person's data from the portal. 403 step_up_required: a thief with a session gets nothing by it. */
export async function requestAccessWithProof(call: WalletCall, { proof }: Confirmed) {
  await proveStepUp(call, { purpose: 'privacy.data', subject: { right: 'access' } }, proof)
  return queueAccessMail(call)
}

/** The person's data as the file that it is over HTTP, for the portal. 403 step_up_required. */
export async function exportDataWithProof(
  call: WalletCall,
  { proof }: Confirmed,
): Promise<{ readonly name: string; readonly json: string }> {
  await proveStepUp(call, { purpose: 'privacy.data', subject: { right: 'portability' } }, proof)
  return { name: PORTABILITY_FILE, json: await renderPortabilityDump(call) }
}
