import { announceChange } from '../../base/core/announce-change'
import type { Platform, Transaction } from '../../base/core/platform'
import type { PaymentIntent, PaymentOutcome } from '../../base/core/processor'
import type { PreparedOutcome } from './after-settled'
import type { Charged, FinalOutcome } from './answers'
import { askCardholder } from './ask-cardholder'
import { mayAgentPay } from './authority-store'
import { applyOutcome, finaliseSettlement, prepareOutcome, type SettlementContext } from './finalise'
import { demandRefund, type RefundReason } from './refunds'
import type { Mover } from './states'
import { findSettlement, findSettlementDetails, type SettlementDetails, type SettlementStatus } from './store'

/** The changes that the processor's record of an intent causes, ready to be written in one transaction. */
export interface IntentEffect {
  readonly principalId: string
  /** Writes the changes. Returns whether anything changed; a late or repeated record changes nothing. */
  readonly apply: (tx: Transaction) => Promise<boolean>
}

/** Writes an effect in a transaction of its own. */
export async function applyEffect(platform: Platform, effect: IntentEffect): Promise<void> {
  const changed = await platform.db.transaction((tx) => effect.apply(tx))
  if (changed) await announceChange(platform, effect.principalId)
}

/**
 * Compares the processor's current record of an intent with what was ordered, and prepares what follows: an outcome, a
 * request to the cardholder, or a refund of a charge that was not ordered. `undecided` while the processor does not
 * know the outcome; null when the intent is not ours or brings nothing new.
 * @throws ProcessorUnreachable where the intent has to be closed first
 */
export async function prepareIntentEffect(
  platform: Platform,
  mover: Mover,
  intent: PaymentIntent,
): Promise<IntentEffect | 'undecided' | null> {
  const settlement = intent.settlementId === null ? null : await findSettlementDetails(platform.db, intent.settlementId)
  if (settlement === null) return null
  const context = { platform, mover, settlement }
  const mismatch = mismatchOf(settlement, toOutcome(intent))
  if (mismatch !== null) return refundEffect(context, mismatch)
  if (settlement.response !== null || !isOwn(settlement, intent.id)) return null
  const outcome = await closedOutcome(context, intent)
  if (outcome.status === 'unknown') return 'undecided'
  const principalId = settlement.principal_id
  if (outcome.status === 'requires_action') {
    return { principalId, apply: (tx) => askCardholder(tx, context, intent.id) }
  }
  return outcomeEffect(context, outcome)
}

/**
 * Records how the settlement's own charge ended, and returns the settlement's status afterwards. A charge of another
 * amount than was ordered is refunded, and the settlement fails.
 */
export async function recordOutcome(
  context: SettlementContext,
  outcome: FinalOutcome,
): Promise<SettlementStatus | null> {
  const { platform, settlement } = context
  const mismatch = mismatchOf(settlement, outcome)
  if (mismatch === null) return finaliseSettlement(context, outcome)
  await applyEffect(platform, await refundEffect(context, mismatch))
  return findSettlement(platform.db, settlement.id)
}

/** A charge that was not ordered, and the reason why it must be refunded. */
interface Mismatch {
  readonly charge: Charged
  readonly reason: RefundReason
}

/** Compares a charge with what was ordered; returns null when it is as ordered, or when there is none. */
function mismatchOf(settlement: SettlementDetails, outcome: FinalOutcome | OpenOutcome): Mismatch | null {
  if (outcome.status !== 'succeeded') return null
  const mismatch = (reason: RefundReason) => ({ charge: outcome, reason })
  if (!isOwn(settlement, outcome.paymentIntentId)) return mismatch('another_charge')
  if (settlement.state === 'failed') return mismatch('settlement_failed')
  const isAsOrdered = settlement.amount_minor === outcome.amountMinor && settlement.currency === outcome.currency
  return isAsOrdered ? null : mismatch('wrong_amount')
}

function isOwn({ payment_intent_id: own }: SettlementDetails, paymentIntentId: string): boolean {
  return own === null || own === paymentIntentId
}

async function outcomeEffect(context: SettlementContext, outcome: FinalOutcome): Promise<IntentEffect> {
  const { settlement } = context
  const mismatch = mismatchOf(settlement, outcome)
  if (mismatch !== null) return refundEffect(context, mismatch)
  const prepared = await prepareOutcome(context, outcome)
  return { principalId: settlement.principal_id, apply: (tx) => applyOrRefund(tx, context, prepared) }
}

/** Refunds the charge. A charge of the wrong amount also fails the settlement. */
async function refundEffect(context: SettlementContext, { charge, reason }: Mismatch): Promise<IntentEffect> {
  const { platform, settlement } = context
  const { paymentIntentId } = charge
  const failure =
    reason === 'wrong_amount'
      ? await prepareOutcome(context, { status: 'failed', code: reason, paymentIntentId, closed: true })
      : null
  return {
    principalId: settlement.principal_id,
    apply: async (tx) => {
      const hasFailed = failure !== null && (await applyOutcome(tx, context, failure))
      const isDemanded = await demandRefund(tx, platform, { settlement, charge, reason })
      return hasFailed || isDemanded
    },
  }
}

/** Writes the outcome; refunds a charge that is found only after the settlement was given up. */
async function applyOrRefund(tx: Transaction, context: SettlementContext, prepared: PreparedOutcome): Promise<boolean> {
  const { platform, settlement } = context
  const { outcome } = prepared
  if (await applyOutcome(tx, context, prepared)) return true
  if (outcome.status !== 'succeeded') return false
  const status = await findSettlement(tx, settlement.id)
  if (status?.state !== 'failed') return false
  return demandRefund(tx, platform, { settlement, charge: outcome, reason: 'settlement_failed' })
}

/**
 * Returns the outcome that is final. A cardholder who was asked can confirm until the intent is closed, so a failure is
 * final only then; the intent is closed when their time is over or the agent may not pay any more.
 */
async function closedOutcome(context: SettlementContext, intent: PaymentIntent): Promise<FinalOutcome | OpenOutcome> {
  const { platform, settlement } = context
  const { outcome, id } = intent
  if (outcome.status === 'requires_action') {
    const reason = await reasonToClose(context)
    return reason === null ? outcome : closeIntent(platform, id, reason)
  }
  if (outcome.status === 'failed' && settlement.state === 'requires_action') {
    // We cancelled it, so the reason is the one that we gave.
    const isOurs = outcome.code === 'canceled'
    const reason = isOurs ? ((await reasonToClose(context)) ?? 'authentication_required') : outcome.code
    return closeIntent(platform, id, reason)
  }
  return toOutcome(intent)
}

async function reasonToClose({ platform, settlement }: SettlementContext): Promise<string | null> {
  if (!(await mayAgentPay(platform.db, settlement.mandate_id))) return 'authorization_withdrawn'
  const isOver = settlement.action_until !== null && settlement.action_until <= platform.clock.now()
  return isOver ? 'authentication_required' : null
}

type OpenOutcome = Extract<PaymentOutcome, { status: 'unknown' | 'requires_action' }>

function toOutcome({ id, outcome }: PaymentIntent): FinalOutcome | OpenOutcome {
  const isOpen = outcome.status === 'unknown' || outcome.status === 'requires_action'
  return isOpen ? outcome : { ...outcome, paymentIntentId: id }
}

/**
 * Closes an intent so that it never moves money. Returns a failure with `code`, the charge if the money had moved, or
 * `unknown` while the processor does not know.
 */
export async function closeIntent(
  platform: Platform,
  paymentIntentId: string,
  code: string,
): Promise<FinalOutcome | OpenOutcome> {
  const outcome = await platform.processor.cancelPaymentIntent(paymentIntentId)
  if (outcome.status === 'succeeded') return { ...outcome, paymentIntentId }
  if (outcome.status === 'failed') return { status: 'failed', code, paymentIntentId, closed: true }
  return { status: 'unknown' }
}
