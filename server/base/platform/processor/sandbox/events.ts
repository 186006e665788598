import type { Stripe } from 'stripe'
import type { EventSource } from './context'
import { insertEvent } from './event-store'
import { STRIPE_API_VERSION, toUnix } from './objects'

type EventContent =
  | Pick<Stripe.SetupIntentSucceededEvent, 'type' | 'data'>
  | Pick<Stripe.PaymentIntentSucceededEvent, 'type' | 'data'>
  | Pick<Stripe.PaymentIntentPaymentFailedEvent, 'type' | 'data'>
  | Pick<Stripe.PaymentIntentRequiresActionEvent, 'type' | 'data'>
  | Pick<Stripe.PaymentIntentCanceledEvent, 'type' | 'data'>
  | Pick<Stripe.ChargeRefundedEvent, 'type' | 'data'>
  | Pick<Stripe.RefundCreatedEvent, 'type' | 'data'>
  | Pick<Stripe.ChargeDisputeCreatedEvent, 'type' | 'data'>
  | Pick<Stripe.ChargeDisputeClosedEvent, 'type' | 'data'>

interface DeliveryOptions {
  /** The seconds from now after which the event is sent; at once when absent. */
  readonly delaySeconds?: number
  /** The number of times that it is sent; once when absent. */
  readonly deliveries?: number
}

/** Writes an event to be sent, in the transaction of the change that it reports. Returns its id. */
export async function announce(
  source: EventSource,
  content: EventContent,
  sending: DeliveryOptions = {},
): Promise<string> {
  const { tx, clock, random, requestId, idempotencyKey } = source
  const now = clock.now()
  const dueAt = new Date(now.getTime() + (sending.delaySeconds ?? 0) * 1000)
  const deliveries = sending.deliveries ?? 1
  const event: Stripe.Event = {
    id: `evt_${random.token(18)}`,
    object: 'event',
    api_version: STRIPE_API_VERSION,
    created: toUnix(dueAt),
    livemode: false,
    pending_webhooks: deliveries,
    request: { id: requestId, idempotency_key: idempotencyKey },
    ...content,
  }
  await insertEvent(tx, { id: event.id, type: event.type, body: JSON.stringify(event), deliveries, dueAt, now })
  source.announced.push(event.id)
  return event.id
}
