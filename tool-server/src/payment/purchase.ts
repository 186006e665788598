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

/** A purchase, and what it is made with. */
export interface Purchase {
  readonly client: CountersignClient
  readonly send: SendRequest
  readonly pending: PendingStore
  readonly redirects: RedirectStore
  readonly order: Order
  readonly approvalOptions: ApprovalOptions
  readonly host: Host
}

/** Two whole runs: a purchase can begin again once, when what was pending has ended. */
const MAX_STEPS = 14

/**
 * Makes a purchase, or goes on with the same one where an earlier call left it: after a question that nobody had
 * answered, a lost connection or a killed process. Identical calls at the same time share one purchase.
 */
export async function makePurchase(purchase: Purchase): Promise<PayAnswer> {
  const { client, send, pending, redirects, order, approvalOptions, host } = purchase
  const startedAt = Date.now()
  await pending.sweep(startedAt)
  const key = purchaseKey(order, { issuer: client.issuer, clientId: client.clientId })
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
 * The answer of an earlier call. It is this call's own when that was waiting for it. `paid` is repeated for a minute, since
 * the host may have gone before it read it; so is what surely never reached a host. After that a new purchase begins.
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

/** Keeps the answer for a while: identical calls that wait get it too, and so does the next one if the host is gone. */
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
