import type * as z from 'zod'
import { Reply } from '../../base/contract/reply'
import { cardName } from '../../base/core/card-name'
import type { Platform } from '../../base/core/platform'
import type { SettlementState } from '../../base/core/settlement-state'
import { epochSeconds } from '../../base/protocol/claims'
import { signReceipt } from '../../base/protocol/receipt'
import { type MessageText, shopName, type Words, wordsIn } from '../../shared/notifications'
import type { settledBody } from './contract'
import type { FinalMove } from './states'
import type { SettlementDetails } from './store'

/** A charge that succeeded; the amount is in minor units. */
export interface Charged {
  readonly status: 'succeeded'
  readonly paymentIntentId: string
  readonly amountMinor: number
  readonly currency: string
}

/** The final result of a charge as the processor reported it. */
export type FinalOutcome =
  | Charged
  | {
      readonly status: 'failed'
      /** The processor's reason, for instance `card_declined`. */
      readonly code: string
      readonly paymentIntentId: string | null
      /** Whether the processor was never told to move money; ignored when it turns out that it was. */
      readonly neverSubmitted?: boolean
      /** Whether the intent was closed at the processor, so that the cardholder cannot confirm it any more. */
      readonly closed?: boolean
    }

/** Returns the move of the state table that an outcome makes. */
export function moveOf(outcome: FinalOutcome): FinalMove {
  if (outcome.status === 'succeeded') return 'succeed'
  if (outcome.neverSubmitted === true) return 'release'
  return outcome.closed === true ? 'close' : 'fail'
}

/** The answer to a settle request, sent byte for byte the same at every replay. */
export interface SettlementAnswer {
  readonly settlementId: string
  readonly status: 200 | 402
  /** The settlement or the `payment_declined` error as JSON. */
  readonly body: string
  readonly replayed: boolean
}

/** Returns the response of an answer; replays carry `Idempotent-Replayed`. */
export function settlementResponse({ status, body, replayed }: SettlementAnswer): Reply {
  return Reply.renderedJson(body, {
    status,
    headers: replayed ? { 'idempotent-replayed': 'true' } : {},
    error: status === 402 ? 'payment_declined' : null,
  })
}

/** Returns the HTTP status that answers a final state. */
export function statusOfState(state: SettlementState): 200 | 402 {
  return state === 'succeeded' ? 200 : 402
}

/** Signs the receipt and renders the answer of a settlement that succeeded. */
export async function renderSuccess(
  platform: Platform,
  settlement: SettlementDetails,
  { paymentIntentId, settledAt }: { paymentIntentId: string; settledAt: Date },
): Promise<{ body: string; receiptJws: string }> {
  const receiptJws = await signReceipt(
    {
      iss: platform.config.baseUrl,
      aud: settlement.merchant_audience,
      sub: settlement.client_id,
      iat: epochSeconds(settledAt),
      jti: settlement.id,
      mandate_id: settlement.mandate_id,
      payment_intent_id: paymentIntentId,
      amount_minor: settlement.amount_minor,
      currency: settlement.currency,
      status: 'succeeded',
      application_fee_minor: settlement.application_fee_minor,
      connected_account_id: settlement.connected_account_id,
    },
    platform.keys.current('receipt'),
  )
  const body: z.input<typeof settledBody> = {
    settlement_id: settlement.id,
    status: 'succeeded',
    mandate_id: settlement.mandate_id,
    payment_intent_id: paymentIntentId,
    amount_minor: settlement.amount_minor,
    currency: settlement.currency,
    merchant_audience: settlement.merchant_audience,
    application_fee_minor: settlement.application_fee_minor,
    connected_account_id: settlement.connected_account_id,
    settled_at: settledAt.toISOString(),
    receipt_jws: receiptJws,
  }
  return { body: JSON.stringify(body), receiptJws }
}

/** Renders the answer of a settlement that failed. */
export function renderFailure(settlementId: string, code: string): string {
  return JSON.stringify({
    error: 'payment_declined',
    error_description: reasonOf(code, wordsIn('en').payments),
    settlement_id: settlementId,
    status: 'failed',
    failure: { code },
  })
}

function reasonOf(code: string, { failed }: Words['payments']): string {
  return failed.reasons[code] ?? failed.otherReason
}

/** Describes amount, payee, agent and card of a settlement in words for the person. */
export function describeParties(settlement: SettlementDetails, { money, payments, quoted }: Words) {
  return {
    amount: money(settlement.amount_minor, settlement.currency),
    merchant: shopName({
      name: settlement.merchant_name,
      audience: settlement.merchant_audience,
      verified: settlement.merchant_verified,
    }),
    agentName: quoted(settlement.agent_name),
    card: payments.card(cardName(settlement)),
  }
}

/** Returns the payment's facts for a message on a lock screen. */
export function purchaseOf({
  amount_minor: amountMinor,
  currency,
  merchant_audience: audience,
  merchant_name: name,
  merchant_verified: verified,
}: SettlementDetails) {
  return { amountMinor, currency, shop: { name, audience, verified } }
}

/** Describes a payment's outcome in plain words for the person. */
export function describeOutcome(settlement: SettlementDetails, outcome: FinalOutcome, words: Words): MessageText {
  const { amount, merchant, agentName, card } = describeParties(settlement, words)
  const { paid, failed } = words.payments
  const agent = words.requests.agent(agentName)
  if (outcome.status === 'succeeded') {
    return {
      subject: paid.subject(amount, merchant),
      text: `${paid.text(amount, merchant, card)}\n\n${agent}`,
    }
  }
  const reason = reasonOf(outcome.code, words.payments)
  // The only failure in which the card was charged.
  const why = outcome.code === 'wrong_amount' ? reason : failed.notCharged(reason)
  return {
    subject: failed.subject(amount, merchant),
    text: `${failed.tried(amount, merchant, card)} ${why}\n\n${agent}`,
  }
}
