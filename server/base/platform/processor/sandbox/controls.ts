import type { TestCardName } from '../sandbox-cards'
import { chargeIntent, failIntent, moveDispute } from './charge-intent'
import type { EventSource, FakeParts } from './context'
import { deliverDueEvents, withEvents } from './delivery'
import { statusAt } from './objects'
import { enrolCard } from './setup-intents'
import { type IntentRow, lockIntent } from './store'

/** What people do who are no party of the API: the cardholder and their bank. */
export interface FakeControls {
  /**
   * The cardholder enters a test card: `setup_intent.succeeded` is sent that many times at once. An intent that was
   * confirmed before stays as it is. False when there is no such intent.
   */
  enterCard(enrolment: { setupIntentId: string; card: TestCardName; deliveries?: number }): Promise<boolean>
  /**
   * The cardholder answers what their bank asked about a payment, which then is charged or fails. False when nothing is
   * asked under this intent, or no longer.
   */
  authenticatePayment(paymentIntentId: string, answer: 'succeed' | 'fail'): Promise<boolean>
  /** Opens or closes a dispute about a charge and sends the webhook. False when nothing was charged under the intent. */
  openDispute(paymentIntentId: string, status: 'pending' | 'won' | 'lost'): Promise<boolean>
  /** Sends the webhooks that are due to `<baseUrl>/webhooks/stripe`; what is not taken is sent again later. Returns how many were due. */
  deliverDueEvents(baseUrl: string): Promise<number>
}

export function createControls(parts: FakeParts): FakeControls {
  /** Nobody asked for it at the API, so the events name no request. */
  const act = (work: (source: EventSource) => Promise<boolean>): Promise<boolean> =>
    withEvents(parts, { requestId: null, idempotencyKey: null }, work)
  return {
    enterCard: ({ setupIntentId, card, deliveries = 1 }) =>
      act(async (source) => {
        const intent = await lockIntent(source.tx, 'setup', setupIntentId)
        if (intent === null || intent.status === 'succeeded') return intent !== null
        await enrolCard(source, intent, { card, deliveries })
        return true
      }),
    authenticatePayment: (paymentIntentId, answer) =>
      act(async (source) => {
        const intent = await lockIntent(source.tx, 'payment', paymentIntentId)
        if (intent === null || !isAsked(intent)) return false
        if (answer === 'succeed') await chargeIntent(source, intent, 'succeeds')
        else await failIntent(source, intent, { code: 'payment_intent_authentication_failure', declineCode: null })
        return true
      }),
    openDispute: (paymentIntentId, status) =>
      act(async (source) => {
        const intent = await lockIntent(source.tx, 'payment', paymentIntentId)
        if (intent === null || statusAt(intent, source.clock.now()) !== 'succeeded') return false
        const moved = status === 'pending' ? 'needs_response' : status
        await moveDispute(source, { intent, status: moved, delaySeconds: 0 })
        return true
      }),
    deliverDueEvents: (baseUrl) => deliverDueEvents(parts, baseUrl),
  }
}

/** Off-session the charge failed for want of the cardholder, on-session it waits for them. */
function isAsked({ status, failure_code: failure }: IntentRow): boolean {
  if (status === 'requires_action') return true
  return status === 'requires_payment_method' && failure === 'authentication_required'
}
