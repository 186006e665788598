import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { Call, WalletCall } from '../../../base/core/call'
import type { Transaction } from '../../../base/core/platform'
import { endWalletAppsSince } from '../../../credentials/issuance'
import { withdrawEveryRequest } from '../../../credentials/presentations'
import * as contacts from '../../../identity/contacts'
import type { mailedLinkProcedure, undoChangeProcedure } from '../../../identity/contacts/contract'
import { endMailedRequests } from '../../../oauth/authorization'

/** Applies the change of a mailed link. */
export const useMailedLink = (
  call: Pick<Call, 'platform' | 'now'>,
  input: ProcedureInput<typeof mailedLinkProcedure>,
) => contacts.useMailedLink(call, input, ends)

/** Undoes a change in a session. */
export const undoChange = (call: WalletCall, input: ProcedureInput<typeof undoChangeProcedure>) =>
  contacts.undoChange(call, input, ends)

const ends: contacts.ChangeEnds = {
  endMailed: endMailedRequests,
  endMadeSince: endWalletApps,
}

/**
 * Withdraws the requests to wallet apps, and ends the wallet apps that an intruder's session may have added: both could
 * still approve purchases.
 */
async function endWalletApps(tx: Transaction, made: contacts.MadeSince): Promise<void> {
  await withdrawEveryRequest(tx, made, made.actor.principalId)
  await endWalletAppsSince(tx, made)
}
