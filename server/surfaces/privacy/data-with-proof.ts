import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { proveStepUp } from '../../identity/passkeys'
import type { ownDataProcedure } from './contract'
import { PORTABILITY_FILE, renderPortabilityDump } from './export-data'
import { queueAccessMail } from './request-access'

type Confirmed = ProcedureInput<typeof ownDataProcedure>

/** Mails the person's data from the portal. 403 step_up_required, so that a stolen session does not suffice. */
export async function requestAccessWithProof(call: WalletCall, { proof }: Confirmed) {
  await proveStepUp(call, { purpose: 'privacy.data', subject: { right: 'access' } }, proof)
  return queueAccessMail(call)
}

/** Returns the person's data to the portal, as the same file as over HTTP. 403 step_up_required. */
export async function exportDataWithProof(
  call: WalletCall,
  { proof }: Confirmed,
): Promise<{ readonly name: string; readonly json: string }> {
  await proveStepUp(call, { purpose: 'privacy.data', subject: { right: 'portability' } }, proof)
  return { name: PORTABILITY_FILE, json: await renderPortabilityDump(call) }
}
