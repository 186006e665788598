import type { SettlementReply } from '../client/index.js'
import { CountersignError, isUndecided, Refusal } from '../errors.js'
import {
  DELIVERED_KEEP_MS,
  EXPIRY_MARGIN_SECONDS,
  REPORT_TRIES,
  RETRY_FIRST_MS,
  UNDELIVERED_KEEP_MS,
  UNSETTLED_KEEP_MS,
} from '../limits.js'
import { fetchNonce, type Payment, placeOrder, reportSettlement } from '../merchant/nonce-payment.js'
import { presentMandate } from '../merchant/verify-mandate.js'
import { pause } from '../pause.js'
import type { Grant, PendingAt } from '../state/pending-store.js'
import { alreadyPaidNote, cardholderNote } from './approval.js'
import { checkReceipt, toExpectedReceipt } from './check-receipt.js'
import { conclude, concludeCharge, retryLater, stillUnknown, stillUnreported, unknownOutcome } from './outcomes.js'
import type { PayAnswer } from './pay-result.js'
import type { PurchaseRun, Step } from './run.js'
import { settleMandate } from './settle-mandate.js'
import { stepUp } from './step-up.js'
import { atStep } from './steps.js'

const UNREPORTED_NOTE =
  'Paid, but the merchant could not be told yet. Call this tool again within a minute, with the same arguments, to tell ' +
  'it; nothing is charged again. Later the same arguments mean a second purchase.'

/** Presents the mandate of an approved purchase to the merchant. */
export async function payMerchant(run: PurchaseRun, approved: PendingAt<'approved'>): Promise<Step> {
  if (!approved.attempted && isExpired(approved.grant)) return { next: null }
  const payment: Payment = {
    client: run.client,
    send: run.send,
    order: run.order,
    grant: approved.grant,
    nonce: await readNonce(run, approved),
    idempotencyKey: approved.idempotency_key,
    signal: run.host.signal,
  }
  return run.order.route.kind === 'base_api'
    ? orderFirst(run, approved, payment)
    : letVerifierCharge(run, approved, payment)
}

/** Fetches the merchant's nonce. Nothing is presented yet, so that on any failure the purchase stays where it is. */
async function readNonce({ order, send, host }: PurchaseRun, approved: PendingAt<'approved'>): Promise<string> {
  const reading = atStep('verify-mandate', fetchNonce(order.route, { send, signal: host.signal }))
  return reading.catch((error: unknown) => {
    throw approved.attempted ? stillUnknown(error, approved) : retryLater('verify-mandate', error)
  })
}

async function orderFirst(run: PurchaseRun, approved: PendingAt<'approved'>, payment: Payment): Promise<Step> {
  const placing = atStep('verify-mandate', placeOrder(run.order.route.url, payment))
  const placed = await placing.catch(async (error: unknown) => {
    throw retryLater('verify-mandate', await conclude(run, error, { attempted: false }))
  })
  const { connected_account_id: account, application_fee_minor: fee } = placed.settlement_request ?? {}
  return {
    next: {
      ...approved,
      stage: 'ordered',
      order_id: placed.order_id,
      receipt: placed.receipt ?? {},
      settlement_request: { connected_account_id: account ?? undefined, application_fee_minor: fee ?? undefined },
      attempted: false,
    },
  }
}

async function letVerifierCharge(run: PurchaseRun, approved: PendingAt<'approved'>, payment: Payment): Promise<Step> {
  const { order, slot } = run
  const isUnanswered = approved.attempted && approved.challenged !== true
  await slot.write({ ...approved, attempted: true, challenged: false })
  const presenting = atStep('verify-mandate', presentMandate(order.route.url, payment))
  const reply = await presenting.catch(async (error: unknown) => {
    if (error instanceof Refusal && error.asksCardholder && !isUnanswered)
      await slot.write({ ...approved, attempted: true, challenged: true })
    throw await concludeCharge(run, error, approved)
  })
  const { mandate_id, receipt_jws, payment_provider_ref } = reply
  const checking = atStep('verify-mandate', checkReceipt(run, approved.grant, receipt_jws))
  const note = await checking.catch((error: unknown) => {
    throw isUndecided(error) ? unknownOutcome('verify-mandate', error) : error
  })
  return { answer: { result: { status: 'paid', mandate_id, receipt_jws, payment_provider_ref }, note } }
}

/** Settles the order that the merchant has accepted. */
export async function settleOrder(run: PurchaseRun, ordered: PendingAt<'ordered'>): Promise<Step> {
  if (!ordered.attempted && isExpired(ordered.grant)) return { next: null }
  let settlement: SettlementReply
  try {
    settlement = await settleMandate(run, ordered)
  } catch (error) {
    if (!(error instanceof Refusal) || !error.asksCardholder) throw error
    return { pausedAnswer: stepUp(ordered.request_uri ?? ordered.order_id, cardholderNote(run.client.issuer)) }
  }
  const receiptJws = settlement.receipt_jws
  if (settlement.status !== 'succeeded') throw new CountersignError(`settle failed: status ${settlement.status}`)
  const checking = run.client.verifyReceipt(receiptJws, toExpectedReceipt(run, ordered.grant), run.host.signal)
  await atStep('settle', checking)
  return {
    next: {
      stage: 'settled',
      order_id: ordered.order_id,
      receipt: ordered.receipt,
      settlement: { ...settlement },
      receipt_jws: receiptJws,
      settled_at: Date.now(),
      expires_at: ordered.expires_at,
    },
  }
}

/**
 * Reports the settlement to the merchant. The money has moved and the receipt is verified, so the result is `paid`
 * whatever the merchant answers; when it cannot be reached, an identical call reports again and pays nothing. Once the
 * result is too old to be repeated, such a call is a new purchase, which begins after the merchant was told of this
 * one.
 */
export async function reportOrder(run: PurchaseRun, settled: PendingAt<'settled'>): Promise<Step> {
  const settledAt = settled.settled_at ?? settled.expires_at - UNSETTLED_KEEP_MS
  const isNewWish = repeatedUntil(settled, settledAt) <= run.startedAt
  const alreadyPaid = settledAt < run.startedAt ? [alreadyPaidNote(settledAt)] : []
  const paid = (receipt: Record<string, unknown>, ...notes: string[]): PayAnswer => ({
    result: { status: 'paid', order_id: settled.order_id, receipt, settlement: settled.settlement },
    note: [...alreadyPaid, ...notes].join(' ') || undefined,
  })
  try {
    const receipt = await reportWithRetries(run, settled)
    return isNewWish ? { next: null } : { answer: paid(receipt ?? settled.receipt) }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    if (isNewWish) {
      if (isUndecided(error)) throw stillUnreported(error, settledAt)
      return { next: null }
    }
    if (isUndecided(error)) {
      if (!run.host.signal.aborted) await run.slot.write({ ...settled, answered_at: settled.answered_at ?? Date.now() })
      return { pausedAnswer: paid(settled.receipt, UNREPORTED_NOTE) }
    }
    return { answer: paid(settled.receipt, `Paid, but the merchant did not accept the report (${error.message}).`) }
  }
}

/**
 * Returns until when an identical call gets this purchase's result: for long while no host received it, otherwise as
 * long as `paid` is repeated.
 */
const repeatedUntil = ({ answered_at: answeredAt }: PendingAt<'settled'>, settledAt: number): number =>
  answeredAt === undefined ? settledAt + UNDELIVERED_KEEP_MS : answeredAt + DELIVERED_KEEP_MS

async function reportWithRetries(
  run: PurchaseRun,
  settled: PendingAt<'settled'>,
): Promise<Record<string, unknown> | undefined> {
  const { send, order, host } = run
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await reportSettlement(
        order.route.url,
        { orderId: settled.order_id, receiptJws: settled.receipt_jws },
        { send, signal: host.signal },
      )
    } catch (error) {
      if (attempt >= REPORT_TRIES || !isUndecided(error) || host.signal.aborted) throw error
      await pause(RETRY_FIRST_MS * attempt, host.signal)
    }
  }
}

const isExpired = (grant: Grant): boolean => Date.now() >= grant.mandate_expires_at - EXPIRY_MARGIN_SECONDS * 1000
