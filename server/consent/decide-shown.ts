import type { WalletCall } from '../core/call'
import { proveStepUp } from '../passkeys'
import { canonicalJson } from '../protocol/encoding'
import type { PortalDecision } from './contract'
import { anotherRequest, recordDecision, requireSameDecision } from './decide-consent'
import { approvalSubject, displayDigest, displayOf } from './display'
import { type ConsentRow, findConsent } from './store'

/**
 * The person's answer on the approve page. An approval stands only for what the page showed, and only when the person
 * confirmed exactly that; declining takes one press. 404 for unknown, expired and foreign requests, 409 when it was
 * decided otherwise or the page showed something else, 403 step_up_required with `way`.
 */
export async function decideShown(call: WalletCall, input: PortalDecision) {
  const { authorization_id: id, decision, shown, proof } = input
  if (decision === 'decline') return recordDecision(call, { authorization_id: id, decision }, null)
  const row = await findConsent(call.platform.db, call.actor.principalId, id)
  if (row === null || row.authorization_id !== id || !isOpen(row, call.now)) {
    await requireSameDecision(call, id, 'approved')
    return { authorization_id: id, status: 'approved' as const }
  }
  const display = displayOf(row)
  if (shown === undefined || canonicalJson(shown) !== canonicalJson(display)) throw anotherRequest()
  const action = { purpose: 'consent.approve', subject: approvalSubject(row.authorization_id, display) } as const
  const stepUp = await proveStepUp(call, action, proof)
  return recordDecision(call, { authorization_id: id, decision }, { displayDigest: displayDigest(display), stepUp })
}

function isOpen(row: ConsentRow, now: Date): boolean {
  return row.status === 'pending' && row.expires_at > now
}
