import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import type { JsonObject } from '../../base/protocol/encoding'
import { canonicalJson } from '../../base/protocol/encoding'
import type { ShownPurchase } from './contract'
import { displayDigest, displayOf } from './display'
import type { PresentedEvidence } from './presented-evidence'
import { askAboveOf, describePurchase, describesPurchase } from './purchase-transaction'
import { buildChangedRequestError, recordDecisionIn } from './record-decision'
import { findConsent, isOpen } from './store'

/** A purchase that waits for the person's confirmation with a wallet app. */
export interface PurchaseToConfirm {
  /** The members of the transaction data that describe the purchase. */
  readonly transaction: JsonObject
  readonly expiresAt: Date
}

interface ShownRequest {
  readonly authorization_id: string
  readonly shown: ShownPurchase
}

/**
 * Returns the purchase in the form that a wallet app displays. 404 for an unknown or foreign request, 409 conflict when
 * it no longer waits, is no purchase, or the page showed something else.
 */
export async function describeShownPurchase(
  { platform, actor, now }: WalletCall,
  { authorization_id: id, shown }: ShownRequest,
): Promise<PurchaseToConfirm> {
  const row = await findConsent(platform.db, actor.principalId, id)
  if (row === null) throw new ServiceError('not_found', 'There is no such request waiting.')
  if (!isOpen(row, now)) throw buildNotWaitingError()
  const display = displayOf({ ...row, ask_above_minor: shown.ask_above_minor })
  if (row.merchant_audience === null || canonicalJson(shown) !== canonicalJson(display))
    throw buildChangedRequestError()
  return { transaction: describePurchase(id, display), expiresAt: row.expires_at }
}

/**
 * Approves a purchase with the presentation of the person's wallet app, in the transaction that accepts the
 * presentation. The caller has verified the presentation and that the credential is the person's. 409 conflict when the
 * purchase no longer waits, or is not the one that the transaction data describes.
 */
export async function approvePresented(
  tx: Transaction,
  call: WalletCall,
  { authorizationId, evidence }: { readonly authorizationId: string; readonly evidence: PresentedEvidence },
): Promise<void> {
  const row = await findConsent(tx, call.actor.principalId, authorizationId)
  if (row === null || !isOpen(row, call.now)) throw buildNotWaitingError()
  const askAbove = askAboveOf(evidence.transaction_data)
  const display = displayOf({ ...row, ask_above_minor: askAbove })
  if (!describesPurchase(evidence.transaction_data, { authorizationId, display })) throw buildChangedRequestError()
  const answer = { authorization_id: authorizationId, decision: 'approve' } as const
  const confirmation = { displayDigest: displayDigest(display), askAbove, stepUp: evidence }
  if (!(await recordDecisionIn(tx, call, { ...answer, confirmation }))) throw buildNotWaitingError()
}

const buildNotWaitingError = (): ServiceError => new ServiceError('conflict', 'The request is not waiting any more.')
