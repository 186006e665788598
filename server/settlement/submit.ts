import { invariant } from '../core/invariant'
import type { Platform } from '../core/platform'
import { finaliseSettlement } from './finalise'
import {
  enterSubmission,
  findDetails,
  findSettlement,
  isAuthorityAlive,
  type Settlement,
  type SettlementDetails,
} from './store'

/** Tells a running submission that whoever waited for it has stopped waiting. */
export interface Patience {
  readonly isOver: () => boolean
}

/**
 * Creates the payment intent, keeps its handle, and only then moves the money, so that at any point a crash leaves
 * something to ask the processor about. Returns the settlement with its outcome, or null while the outcome is unknown.
 * Safe to run again for the same settlement: the processor knows both steps by the settlement's id.
 */
export async function submitSettlement(
  platform: Platform,
  settlementId: string,
  patience: Patience,
): Promise<Settlement | null> {
  const settlement = await findDetails(platform.db, settlementId)
  invariant(settlement !== null, 'a reserved settlement has a row')
  const intent = await platform.processor.createPaymentIntent({
    settlementId,
    amountMinor: settlement.amount_minor,
    currency: settlement.currency,
    customerId: settlement.customer_id,
    paymentMethodId: settlement.payment_method_id,
    connectedAccountId: settlement.connected_account_id,
    applicationFeeMinor: settlement.application_fee_minor,
  })
  // Nobody waits any more: moving money is left to the resolver, which looks before it does.
  if (patience.isOver()) return null
  if (!(await enterSubmission(platform.db, settlementId, intent.id))) return withdraw(platform, settlement)
  return confirm(platform, settlementId, intent.id)
}

/** Moves the money of an intent whose handle is kept, or learns that it has moved. */
export async function confirm(
  platform: Platform,
  settlementId: string,
  paymentIntentId: string,
): Promise<Settlement | null> {
  const outcome = await platform.processor.confirmPaymentIntent(paymentIntentId, settlementId)
  if (outcome.status === 'unknown') return null
  return finaliseSettlement(platform, settlementId, { ...outcome, paymentIntentId })
}

/** A settlement that may not be submitted: somebody else has taken it over, or its authority is gone. */
async function withdraw(
  platform: Platform,
  { id, mandate_id: mandateId }: SettlementDetails,
): Promise<Settlement | null> {
  const alive = await isAuthorityAlive(platform.db, mandateId)
  const stands = alive
    ? await findSettlement(platform.db, id)
    : await finaliseSettlement(platform, id, {
        status: 'failed',
        code: 'authorization_withdrawn',
        paymentIntentId: null,
        neverSubmitted: true,
      })
  return stands === null || stands.response === null ? null : stands
}
