import type { Platform, Transaction } from '../core/platform'
import type { PaymentIntent, PaymentOutcome } from '../core/processor'
import type { FinalOutcome } from './answers'
import { applyOutcome, type PreparedOutcome, prepareOutcome } from './finalise'
import { demandRefund, type RefundReason } from './refunds'
import { askCardholder } from './step-up'
import { findDetails, findSettlement, isAuthorityAlive, type SettlementDetails } from './store'

/** What the processor's word about an intent does to the books, ready to be written in one transaction. */
export interface SettlementNews {
  readonly principalId: string
  /** Returns whether anything changed; news that is late or repeated changes nothing. */
  readonly apply: (tx: Transaction) => Promise<boolean>
}

/**
 * Compares an intent, as the processor keeps it now, with what was ordered, and prepares what follows: an outcome, a
 * question to the cardholder, or a refund of a charge that must not stand. `undecided` while the processor does not know
 * itself; null when the intent is none of ours or says nothing new.
 * @throws ProcessorUnreachable where the intent has to be closed first
 */
export async function prepareNews(
  platform: Platform,
  intent: PaymentIntent,
): Promise<SettlementNews | 'undecided' | null> {
  const settlement = intent.settlementId === null ? null : await findDetails(platform.db, intent.settlementId)
  if (settlement === null) return null
  const charge = { platform, settlement, intent }
  const objection = objectionTo(charge)
  if (objection !== null) return newsOfObjection(charge, objection)
  if (settlement.response !== null || !isOwn(charge)) return null
  const outcome = await closedOutcome(charge)
  if (outcome.status === 'unknown') return 'undecided'
  const principalId = settlement.principal_id
  if (outcome.status === 'requires_action') {
    return { principalId, apply: (tx) => askCardholder(tx, platform, { settlement, paymentIntentId: intent.id }) }
  }
  const prepared = prepareOutcome(platform, settlement, outcome)
  return { principalId, apply: (tx) => applyOrRefund(tx, charge, prepared) }
}

interface Charge {
  readonly platform: Platform
  readonly settlement: SettlementDetails
  readonly intent: PaymentIntent
}

function isOwn({ settlement, intent }: Charge): boolean {
  return settlement.payment_intent_id === null || settlement.payment_intent_id === intent.id
}

/** Why a charge that was made must not stand; null when it may, or when none was made. */
function objectionTo(charge: Charge): RefundReason | null {
  const { settlement, intent } = charge
  if (intent.outcome.status !== 'succeeded') return null
  if (!isOwn(charge)) return 'another_charge'
  if (settlement.state === 'failed') return 'settlement_failed'
  const isAsOrdered = settlement.amount_minor === intent.amountMinor && settlement.currency === intent.currency
  return isAsOrdered ? null : 'wrong_amount'
}

/** Gives the charge back; a settlement that has no other one has failed. */
function newsOfObjection({ platform, settlement, intent }: Charge, reason: RefundReason): SettlementNews {
  const failure =
    reason === 'wrong_amount'
      ? prepareOutcome(platform, settlement, {
          status: 'failed',
          code: reason,
          paymentIntentId: intent.id,
          closed: true,
        })
      : null
  return {
    principalId: settlement.principal_id,
    apply: async (tx) => {
      const hasFailed = failure !== null && (await applyOutcome(tx, platform, failure))
      const isDemanded = await demandRefund(tx, platform, { settlement, intent, reason })
      return hasFailed || isDemanded
    },
  }
}

/** A charge that comes to light only after the settlement was given up does not stand. */
async function applyOrRefund(tx: Transaction, charge: Charge, prepared: PreparedOutcome): Promise<boolean> {
  const { platform, settlement, intent } = charge
  if (await applyOutcome(tx, platform, prepared)) return true
  if (prepared.outcome.status !== 'succeeded') return false
  const stands = await findSettlement(tx, settlement.id)
  if (stands?.state !== 'failed') return false
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

/** Closes an intent so that it never moves money, and says what it came to: `code`, unless the money had moved. */
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
