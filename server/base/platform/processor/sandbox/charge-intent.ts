import type { Stripe } from 'stripe'
import { sha256Base64url } from '../../../protocol/encoding'
import type { CardBehaviour } from '../sandbox-cards'
import { toDispute } from './charge-objects'
import { findChargeOfIntent, insertCharge, saveDispute } from './charge-store'
import type { EventSource } from './context'
import { announce } from './events'
import { toPaymentIntent } from './objects'
import { decideIntent, findCard, type IntentRow } from './store'

/** The time for which a charge that "answers late" stays in processing. */
export const LATE_ANSWER_SECONDS = 3
/** The time after its charge at which a card that "is disputed" gets its dispute. */
export const DISPUTE_DELAY_SECONDS = 2
/** The time for which an event that is delivered before the answer is hidden from other deliverers. */
const HELD_SECONDS = 5

/** Makes the charge of an intent and writes its events. */
export async function chargeIntent(
  call: EventSource,
  intent: IntentRow,
  behaviour: CardBehaviour['kind'],
): Promise<IntentRow> {
  const { tx, clock, random } = call
  const now = clock.now()
  const delaySeconds = behaviour === 'answers_late' ? LATE_ANSWER_SECONDS : 0
  const decidesAt = new Date(now.getTime() + delaySeconds * 1000)
  await insertCharge(tx, { id: `ch_${random.token(18)}`, paymentIntentId: intent.id, now })
  const charged = await decideIntent(tx, intent.id, { status: 'succeeded', decides_at: decidesAt })
  const object = toPaymentIntent(charged, null, decidesAt)
  const isFirst = behaviour === 'tells_first'
  const eventId = await announce(
    call,
    { type: 'payment_intent.succeeded', data: { object } },
    { delaySeconds: isFirst ? HELD_SECONDS : delaySeconds, deliveries: behaviour === 'tells_twice' ? 2 : 1 },
  )
  if (isFirst) call.deliverFirst.push(eventId)
  if (behaviour === 'is_disputed') {
    await moveDispute(call, { intent: charged, status: 'needs_response', delaySeconds: DISPUTE_DELAY_SECONDS })
  }
  return charged
}

/** Records that a confirmation failed, and why. */
export async function failIntent(
  call: EventSource,
  intent: IntentRow,
  reason: { code: string; declineCode: string | null },
): Promise<IntentRow> {
  const failed = await decideIntent(call.tx, intent.id, {
    status: 'requires_payment_method',
    failure_code: reason.code,
    decline_code: reason.declineCode,
  })
  const object = await present(call, failed)
  await announce(call, { type: 'payment_intent.payment_failed', data: { object } })
  return failed
}

interface DisputeMove {
  readonly intent: IntentRow
  readonly status: 'needs_response' | 'won' | 'lost'
  readonly delaySeconds: number
}

/** Opens or closes the dispute about an intent's charge, which has at most one. */
export async function moveDispute(call: EventSource, { intent, status, delaySeconds }: DisputeMove): Promise<void> {
  const opensAt = new Date(call.clock.now().getTime() + delaySeconds * 1000)
  const id = `dp_${sha256Base64url(intent.id).slice(0, 24)}`
  await saveDispute(call.tx, { id, chargeId: intent.charge_id ?? '', status, opensAt })
  const charge = await findChargeOfIntent(call.tx, intent.id)
  const object = charge === null ? null : toDispute(charge)
  if (object === null) throw new Error('a dispute is about a charge')
  const type = status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed'
  await announce(call, { type, data: { object } }, { delaySeconds })
}

/** Returns the intent in its present state; the card is part of it only when it has failed. */
export async function present({ tx, clock }: EventSource, intent: IntentRow): Promise<Stripe.PaymentIntent> {
  const failed = intent.failure_code === null ? null : await findCard(tx, intent.payment_method_id)
  return toPaymentIntent(intent, failed, clock.now())
}
