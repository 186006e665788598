import type { WalletCall } from '../../base/core/call'
import { requireSwitch } from '../../base/core/common-errors'
import { requireNotRequester } from '../../base/core/require-not-requester'
import { canonicalJson } from '../../base/protocol/encoding'
import { proveStepUp, requireTokenSuffices } from '../../identity/passkeys'
import type { ConsentDecision } from './contract'
import { approvalSubject, displayDigest, displayOf } from './display'
import { buildChangedRequestError, type Confirmation, recordDecision, requireSameDecision } from './record-decision'
import { type ConsentRow, findConsent, isOpen } from './store'

/**
 * Records the person's decision, in the portal or with a wallet token. Declining needs no confirmation and works with
 * any token that may write, in the portal also while approvals are switched off. A token approves when it suffices; the portal approves only what its page showed, and only
 * with the person's confirmation of exactly that. Repeating a decision needs no confirmation. 404 for unknown, expired
 * and foreign requests, 409 when it was decided otherwise or the page showed something else, 403 forbidden for an
 * agent's own request, 401 insufficient_user_authentication or 403 step_up_required, 503 while the switch is off.
 */
export async function decideConsent(call: WalletCall, input: ConsentDecision) {
  const { authorization_id: id, decision } = input
  const row = await findConsent(call.platform.db, call.actor.principalId, id)
  if (row !== null) requireNotRequester(call.actor, row.client_id)
  if (decision === 'decline') return recordDecision(call, { authorization_id: id, decision }, null)
  await requireSwitch(call.platform.switches, 'consent_scan')
  if (row === null || !isOpen(row, call.now)) {
    await requireSameDecision(call, id, 'approved')
    return { authorization_id: id, status: 'approved' as const }
  }
  const confirmation = await confirmApproval(call, row, input)
  return recordDecision(call, { authorization_id: id, decision }, confirmation)
}

/** Returns the person's confirmation in the portal; null for a token, which must suffice. */
async function confirmApproval(
  call: WalletCall,
  row: ConsentRow,
  { shown, proof }: ConsentDecision,
): Promise<Confirmation | null> {
  if (call.actor.via === 'token') {
    await requireTokenSuffices(call)
    return null
  }
  const askAbove = shown !== undefined && 'ask_above_minor' in shown ? shown.ask_above_minor : undefined
  const display = displayOf({ ...row, ask_above_minor: askAbove })
  if (shown === undefined || canonicalJson(shown) !== canonicalJson(display)) throw buildChangedRequestError()
  const action = { purpose: 'consent.approve', subject: approvalSubject(row.authorization_id, display) } as const
  const stepUp = await proveStepUp(call, action, proof)
  return { displayDigest: displayDigest(display), askAbove, stepUp }
}
