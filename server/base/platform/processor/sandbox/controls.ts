import type { TestCardName } from '../sandbox-cards'
import { chargeIntent, failIntent, moveDispute } from './charge-intent'
import { findChargeOfIntent } from './charge-store'
import type { EventSource, FakeParts } from './context'
import { deliverDueEvents, withEvents } from './delivery'
import { statusAt } from './objects'
import { enrolCard } from './setup-intents'
import { type IntentRow, lockIntent } from './store'

/** The actions of the cardholder and the bank, who do not use the API. */
export interface FakeControls {
  /**
   * Enters a test card as the cardholder and sends `setup_intent.succeeded` `deliveries` times at once. An intent that
   * was confirmed before does not change. Returns false when there is no such intent.
   */
  enterCard(enrolment: { setupIntentId: string; card: TestCardName; deliveries?: number }): Promise<boolean>
  /**
   * Answers the bank's challenge for a payment as the cardholder; the payment is then charged or fails. Returns false
   * when the intent has no open challenge.
   */
  authenticatePayment(paymentIntentId: string, answer: 'succeed' | 'fail'): Promise<boolean>
  /**
   * Opens or closes a dispute about a charge and sends the webhook. Nothing moves when the dispute is closed with another
   * result (`closed`), or the intent has no charge (`unknown`).
   */
  openDispute(paymentIntentId: string, status: 'pending' | 'won' | 'lost'): Promise<'moved' | 'closed' | 'unknown'>
  /** Sends the due webhooks to `<baseUrl>/webhooks/stripe`, those that fail again later. Returns how many were due. */
  deliverDueEvents(baseUrl: string): Promise<number>
}

export function createControls(parts: FakeParts): FakeControls {
  /** Acts without a request to the API, so the events name none. */
  const act = <Result>(work: (source: EventSource) => Promise<Result>): Promise<Result> =>
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
        if (intent === null || statusAt(intent, source.clock.now()) !== 'succeeded') return 'unknown'
        const moved = status === 'pending' ? 'needs_response' : status
        const present = (await findChargeOfIntent(source.tx, paymentIntentId))?.dispute_status ?? 'needs_response'
        if (present !== 'needs_response' && present !== moved) return 'closed'
        await moveDispute(source, { intent, status: moved, delaySeconds: 0 })
        return 'moved'
      }),
    deliverDueEvents: (baseUrl) => deliverDueEvents(parts, baseUrl),
  }
}

/** Whether the challenge is open: on-session the intent waits for it, off-session the charge failed because of it. */
function isAsked({ status, failure_code: failure }: IntentRow): boolean {
  if (status === 'requires_action') return true
  return status === 'requires_payment_method' && failure === 'authentication_required'
}
