import type { Platform, Transaction } from '../../base/core/platform'
import type { PaymentIntent, PaymentOutcome } from '../../base/core/processor'
import type { PreparedOutcome } from './after-settled'
import type { FinalOutcome } from './answers'
import { askCardholder } from './ask-cardholder'
import { applyOutcome, type Handling, prepareOutcome } from './finalise'
import { demandRefund, type RefundReason } from './refunds'
import type { Mover } from './states'
import { findSettlement, findSettlementDetails, isAuthorityAlive } from './store'

/** What the processor's record of an intent does to the books, ready to be written in one transaction. */
export interface IntentEffect {
  readonly principalId: string
  /** Returns whether anything changed; what is late or repeated changes nothing. */
  readonly apply: (tx: Transaction) => Promise<boolean>
}

/**
 * Compares the processor's current record of an intent with what was ordered, and prepares what follows: an outcome, asking
 * the cardholder, or a refund of a charge that was not ordered. `undecided` while the processor does not know the outcome;
 * null when the intent is not ours or there is nothing new.
 * @throws ProcessorUnreachable where the intent has to be closed first
 */
export async function prepareIntentEffect(
  platform: Platform,
  mover: Mover,
  intent: PaymentIntent,
): Promise<IntentEffect | 'undecided' | null> {
  const settlement = intent.settlementId === null ? null : await findSettlementDetails(platform.db, intent.settlementId)
  if (settlement === null) return null
  const charge = { platform, mover, settlement, intent }
  const mismatch = mismatchOf(charge)
  if (mismatch !== null) return refundEffect(charge, mismatch)
  if (settlement.response !== null || !isOwn(charge)) return null
  const outcome = await closedOutcome(charge)
  if (outcome.status === 'unknown') return 'undecided'
  const principalId = settlement.principal_id
  if (outcome.status === 'requires_action') return { principalId, apply: (tx) => askCardholder(tx, charge, intent.id) }
  const prepared = await prepareOutcome(charge, outcome)
  return { principalId, apply: (tx) => applyOrRefund(tx, charge, prepared) }
}

interface Charge extends Handling {
  readonly intent: PaymentIntent
}

function isOwn({ settlement, intent }: Charge): boolean {
  return settlement.payment_intent_id === null || settlement.payment_intent_id === intent.id
}

/** Why a charge has to be given back; null when it is as ordered, or when none was made. */
function mismatchOf(charge: Charge): RefundReason | null {
  const { settlement, intent } = charge
  if (intent.outcome.status !== 'succeeded') return null
  if (!isOwn(charge)) return 'another_charge'
  if (settlement.state === 'failed') return 'settlement_failed'
  const isAsOrdered = settlement.amount_minor === intent.amountMinor && settlement.currency === intent.currency
  return isAsOrdered ? null : 'wrong_amount'
}

/** Gives the charge back; a settlement that has no other one has failed. */
async function refundEffect(charge: Charge, reason: RefundReason): Promise<IntentEffect> {
  const { platform, settlement, intent } = charge
  const failure =
    reason === 'wrong_amount'
      ? await prepareOutcome(charge, { status: 'failed', code: reason, paymentIntentId: intent.id, closed: true })
      : null
  return {
    principalId: settlement.principal_id,
    apply: async (tx) => {
      const hasFailed = failure !== null && (await applyOutcome(tx, charge, failure))
      const isDemanded = await demandRefund(tx, platform, { settlement, intent, reason })
      return hasFailed || isDemanded
    },
  }
}

/** A charge that is found only after the settlement was given up is given back. */
async function applyOrRefund(tx: Transaction, charge: Charge, prepared: PreparedOutcome): Promise<boolean> {
  const { platform, settlement, intent } = charge
  if (await applyOutcome(tx, charge, prepared)) return true
  if (prepared.outcome.status !== 'succeeded') return false
  const status = await findSettlement(tx, settlement.id)
  if (status?.state !== 'failed') return false
  return demandRefund(tx, platform, { settlement, intent, reason: 'settlement_failed' })
}

/**
 * The outcome as it will stay. A cardholder who was asked can confirm until the intent is closed, so a failure counts
 * only then; and it is closed when their time is over or the agent's permission is gone.
 */
async function closedOutcome(charge: Charge): Promise<FinalOutcome | OpenOutcome> {
  const { platform, settlement, intent } = charge
  const { outcome, id } = intent
  if (outcome.status === 'requires_action') {
    const reason = await reasonToClose(charge)
    return reason === null ? outcome : closeIntent(platform, id, reason)
  }
  if (outcome.status === 'failed' && settlement.state === 'requires_action') {
    // Closed by us, perhaps a moment ago: then it is we who know why.
    const isOurs = outcome.code === 'canceled'
    const reason = isOurs ? ((await reasonToClose(charge)) ?? 'authentication_required') : outcome.code
    return closeIntent(platform, id, reason)
  }
  return outcome.status === 'unknown' ? outcome : { ...outcome, paymentIntentId: id }
}

async function reasonToClose({ platform, settlement }: Charge): Promise<string | null> {
  if (!(await isAuthorityAlive(platform.db, settlement.mandate_id))) return 'authorization_withdrawn'
  const isOver = settlement.action_until !== null && settlement.action_until <= platform.clock.now()
  return isOver ? 'authentication_required' : null
}

type OpenOutcome = Extract<PaymentOutcome, { status: 'unknown' | 'requires_action' }>

/** Closes an intent so that it never moves money, and returns what it came to: `code`, unless the money had moved. */
export async function closeIntent(
  platform: Platform,
  paymentIntentId: string,
  code: string,
): Promise<FinalOutcome | OpenOutcome> {
  const outcome = await platform.processor.cancelPaymentIntent(paymentIntentId)
  if (outcome.status === 'succeeded') return { status: 'succeeded', paymentIntentId }
  if (outcome.status === 'failed') return { status: 'failed', code, paymentIntentId, closed: true }
  return { status: 'unknown' }
}
