import { failpoint } from '../core/failpoints'
import { invariant } from '../core/invariant'
import type { Platform } from '../core/platform'
import { ProcessorRefused } from '../core/processor'
import { finaliseSettlement } from './finalise'
import { closeIntent } from './processor-news'
import { askCardholder } from './step-up'
import {
  enterSubmission,
  findDetails,
  findSettlement,
  isAuthorityAlive,
  type SettlementDetails,
  type Standing,
} from './store'

/** Tells a running submission that whoever waited for it has stopped waiting. */
export interface Patience {
  readonly isOver: () => boolean
}

/**
 * Creates the payment intent, keeps its handle, and only then moves the money, so that at any point a crash leaves
 * something to ask the processor about. Returns the settlement with its outcome or waiting for the cardholder, or null
 * while the outcome is unknown. Safe to run again for the same settlement: the processor knows both steps by the
 * settlement's id.
 */
export async function submitSettlement(
  platform: Platform,
  settlementId: string,
  patience: Patience,
): Promise<Standing | null> {
  const settlement = await findDetails(platform.db, settlementId)
  invariant(settlement !== null, 'a reserved settlement has a row')
  await failpoint('settle.before_pi_create')
  const intent = await createIntent(platform, settlement)
  if ('refusedFor' in intent) {
    return finaliseSettlement(platform, settlement, {
      status: 'failed',
      code: intent.refusedFor,
      paymentIntentId: null,
      neverSubmitted: true,
    })
  }
  await failpoint('settle.after_pi_create')
  // Nobody waits any more: moving money is left to the resolver, which looks before it does.
  if (patience.isOver()) return null
  if (!(await enterSubmission(platform.db, settlementId, intent.id))) return withdraw(platform, settlement)
  return confirm(platform, settlement, intent.id)
}

async function createIntent(
  platform: Platform,
  settlement: SettlementDetails,
): Promise<{ readonly id: string } | { readonly refusedFor: string }> {
  try {
    return await platform.processor.createPaymentIntent({
      settlementId: settlement.id,
      amountMinor: settlement.amount_minor,
      currency: settlement.currency,
      customerId: settlement.customer_id,
      paymentMethodId: settlement.payment_method_id,
      connectedAccountId: settlement.connected_account_id,
      applicationFeeMinor: settlement.application_fee_minor,
    })
  } catch (cause) {
    if (!(cause instanceof ProcessorRefused)) throw cause
    return { refusedFor: cause.code }
  }
}

/** Moves the money of an intent whose handle is kept, or learns that it has moved. */
export async function confirm(
  platform: Platform,
  settlement: SettlementDetails,
  paymentIntentId: string,
): Promise<Standing | null> {
  await failpoint('settle.before_confirm')
  const outcome = await confirmIntent(platform, settlement.id, paymentIntentId)
  await failpoint('settle.after_confirm_before_db')
  if (outcome.status === 'unknown') return null
  if (outcome.status === 'requires_action') return waitForCardholder(platform, settlement, paymentIntentId)
  return finaliseSettlement(platform, settlement, { ...outcome, paymentIntentId })
}

/** An intent that cannot be confirmed, whatever the reason, is closed: then it is known that no money moves. */
async function confirmIntent(platform: Platform, settlementId: string, paymentIntentId: string) {
  try {
    return await platform.processor.confirmPaymentIntent(paymentIntentId, settlementId)
  } catch (cause) {
    if (!(cause instanceof ProcessorRefused)) throw cause
    return closeIntent(platform, paymentIntentId, cause.code)
  }
}

async function waitForCardholder(
  platform: Platform,
  settlement: SettlementDetails,
  paymentIntentId: string,
): Promise<Standing | null> {
  const asked = await platform.db.transaction((tx) => askCardholder(tx, platform, { settlement, paymentIntentId }))
  if (asked) await platform.cache.publish(`principal:${settlement.principal_id}`)
  const stands = await findSettlement(platform.db, settlement.id)
  const isTold = stands !== null && (stands.state === 'requires_action' || stands.response !== null)
  return isTold ? stands : null
}

/** A settlement that may not be submitted: somebody else has taken it over, or its authority is gone. */
async function withdraw(platform: Platform, settlement: SettlementDetails): Promise<Standing | null> {
  const alive = await isAuthorityAlive(platform.db, settlement.mandate_id)
  const stands = alive
    ? await findSettlement(platform.db, settlement.id)
    : await finaliseSettlement(platform, settlement, {
        status: 'failed',
        code: 'authorization_withdrawn',
        paymentIntentId: null,
        neverSubmitted: true,
      })
  return stands === null || stands.response === null ? null : stands
}
