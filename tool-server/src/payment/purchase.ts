import type { CountersignClient } from '../client/index.js'
import { CountersignError } from '../errors.js'
import type { SendRequest } from '../http/outbound.js'
import { DELIVERED_KEEP_MS, UNDELIVERED_KEEP_MS } from '../limits.js'
import type { PendingAt, PendingPurchase, PendingStore } from '../state/pending-store.js'
import type { RedirectStore } from '../state/redirect-store.js'
import { alreadyPaidNote, confirmationNote, describeApproval, stepUpNote } from './approval.js'
import type { Host } from './host.js'
import { type ApprovalOptions, type Order, purchaseKey } from './order.js'
import { payMerchant, reportOrder, settleOrder } from './pay-merchant.js'
import type { PayAnswer } from './pay-result.js'
import { awaitConfirmation, redeemCode } from './redeem-request.js'
import { awaitApproval, requestMandate } from './request-approval.js'
import type { PurchaseRun, Step } from './run.js'
import { consentDeadline, stepUp } from './step-up.js'

/** A purchase, with the client, stores and host that it needs. */
export interface Purchase {
  readonly client: CountersignClient
  readonly send: SendRequest
  readonly pending: PendingStore
  readonly redirects: RedirectStore
  readonly order: Order
  /** The key of the request that the order was chosen for. */
  readonly wishKey?: string | undefined
  readonly approvalOptions: ApprovalOptions
  readonly host: Host
}

/**
 * The most steps of a call: two whole runs, since a purchase can begin again once, when the earlier request has ended.
 */
const MAX_STEPS = 14

/**
 * Makes a purchase, or continues it where an earlier call stopped: after an unanswered question, a lost connection or a
 * killed process. Concurrent identical calls share one purchase.
 */
export async function makePurchase(purchase: Purchase): Promise<PayAnswer> {
  const { client, send, pending, redirects, order, wishKey, approvalOptions, host } = purchase
  const startedAt = Date.now()
  await pending.sweep(startedAt)
  const key = purchaseKey(order, { issuer: client.issuer, clientId: client.clientId, wishKey })
  const slot = await pending.take(key, {
    signal: host.signal,
    until: consentDeadline({ host, approvalOptions, startedAt }),
  })
  if (slot === null) return answerWithoutSlot(purchase, key)
  try {
    return await advance({ client, send, redirects, order, approvalOptions, host, slot, startedAt })
  } finally {
    await slot.release()
  }
}

async function advance(run: PurchaseRun): Promise<PayAnswer> {
  let record = await run.slot.read()
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const outcome = await takeStep(run, record)
    if ('answer' in outcome) return finish(run, outcome.answer)
    if ('pausedAnswer' in outcome) return outcome.pausedAnswer
    record = outcome.next
    await (record === null ? run.slot.remove() : run.slot.write(record))
  }
  throw new CountersignError('the purchase keeps starting over', 'Nothing was paid. Try again later.')
}

function takeStep(run: PurchaseRun, record: PendingPurchase | null): Promise<Step> | Step {
  switch (record?.stage) {
    case undefined:
    case 'chosen':
      return requestMandate(run)
    case 'consent':
      return awaitApproval(run, record)
    case 'confirming':
      return awaitConfirmation(run, record)
    case 'coded':
      return redeemCode(run, record)
    case 'approved':
      return payMerchant(run, record)
    case 'ordered':
      return settleOrder(run, record)
    case 'settled':
      return reportOrder(run, record)
    case 'done':
      return repeatAnswer(run, record)
  }
}

/**
 * Repeats the result of an earlier call: always to calls that were waiting for it, and for a minute when it is `paid`,
 * since the host may have disconnected before it read that; for longer when it never reached a host. After that a new
 * purchase begins.
 */
async function repeatAnswer({ slot, startedAt }: PurchaseRun, done: PendingAt<'done'>): Promise<Step> {
  const { result, note, finished_at: finishedAt, delivered } = done
  const isPaid = result.status === 'paid'
  const isOurs = finishedAt >= startedAt
  const isRepeated = done.expires_at > startedAt && (isPaid || !delivered)
  if (!isOurs && !isRepeated) return { next: null }
  if (!delivered) await slot.write({ ...done, delivered: true, expires_at: Date.now() + DELIVERED_KEEP_MS })
  return { pausedAnswer: { result, note: isPaid && !isOurs ? alreadyPaidNote(finishedAt) : note } }
}

/**
 * Stores the result for a while, for identical calls that wait for it and, if the host has disconnected, for the next
 * one.
 */
async function finish(run: PurchaseRun, answer: PayAnswer): Promise<PayAnswer> {
  const delivered = !run.host.signal.aborted
  const finishedAt = Date.now()
  await run.slot.write({
    stage: 'done',
    result: answer.result,
    note: answer.note,
    finished_at: finishedAt,
    delivered,
    expires_at: finishedAt + (delivered ? DELIVERED_KEEP_MS : UNDELIVERED_KEEP_MS),
  })
  return answer
}

async function answerWithoutSlot({ client, pending, order }: Purchase, key: string): Promise<PayAnswer> {
  const record = await pending.peek(key)
  if (record?.stage === 'consent') {
    const request = { issuer: client.issuer, requestUri: record.request_uri, expiresAt: record.expires_at }
    return stepUp(record.request_uri, stepUpNote(describeApproval(order, request)))
  }
  if (record?.stage === 'confirming') return stepUp(record.request_uri, confirmationNote(record.expires_at))
  throw new CountersignError(
    'another call is making the same purchase',
    'Call this tool again with the same arguments: it takes over the answer of the other call.',
  )
}
