import type * as z from 'zod'
import { decimalAmount } from '../../base/core/money'
import type { Platform } from '../../base/core/platform'
import type { SettlementState } from '../../base/core/settlement-state'
import { epochSeconds } from '../../base/protocol/claims'
import { signReceipt } from '../../base/protocol/receipt'
import { quotedName, shopName } from '../../shared/notifications'
import type { settledBody } from './contract'
import type { FinalMove } from './states'
import type { SettlementDetails } from './store'

/** How a charge ended, as the processor told it. */
export type FinalOutcome =
  | { readonly status: 'succeeded'; readonly paymentIntentId: string }
  | {
      readonly status: 'failed'
      /** The processor's reason, for instance `card_declined`. */
      readonly code: string
      readonly paymentIntentId: string | null
      /** The processor was never told to move money; ignored when it turns out that it was. */
      readonly neverSubmitted?: boolean
      /** The processor was made to close the intent, so that the cardholder cannot confirm it any more. */
      readonly closed?: boolean
    }

/** The move of the table that an outcome is. */
export function moveOf(outcome: FinalOutcome): FinalMove {
  if (outcome.status === 'succeeded') return 'succeed'
  if (outcome.neverSubmitted === true) return 'release'
  return outcome.closed === true ? 'close' : 'fail'
}

/** The answer to a settle request, byte for byte as it is sent now and at every replay. */
export interface SettlementAnswer {
  readonly settlementId: string
  readonly status: 200 | 402
  /** JSON: the settlement, or the `payment_declined` error. */
  readonly body: string
  readonly replayed: boolean
}

/** The HTTP status that a final state is answered with. */
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

const reasons: Readonly<Record<string, string>> = {
  amount_not_supported: 'The card processor cannot charge this amount in this currency.',
  authentication_required: 'The bank asked the cardholder to confirm the payment, and they did not.',
  authorization_withdrawn: 'The permission to pay was withdrawn before the card was charged.',
  canceled: 'The payment was cancelled before the card was charged.',
  card_declined: 'The card was declined.',
  currency_not_supported: 'The card processor cannot charge this currency.',
  expired_card: 'The card has expired.',
  insufficient_funds: 'The card has insufficient funds.',
  payment_intent_authentication_failure: 'The bank could not confirm that it was the cardholder.',
  processor_unavailable: 'The card processor could not be reached; the card was not charged.',
  wrong_amount: 'The card processor charged another amount than was ordered; it is being given back.',
}

/** Renders the answer of a settlement that failed. */
export function renderFailure(settlementId: string, code: string): string {
  return JSON.stringify({
    error: 'payment_declined',
    error_description: reasonOf(code),
    settlement_id: settlementId,
    status: 'failed',
    failure: { code },
  })
}

function reasonOf(code: string): string {
  return reasons[code] ?? 'The payment was declined.'
}

/** Amount, payee, agent and card of a settlement, in words for its person. */
export function describeParties(settlement: SettlementDetails) {
  return {
    amount: `${decimalAmount(settlement.amount_minor, settlement.currency)} ${settlement.currency}`,
    merchant: shopName({
      name: settlement.merchant_name,
      audience: settlement.merchant_audience,
      verified: settlement.merchant_verified,
    }),
    agent: quotedName(settlement.agent_name),
    card: `your ${settlement.brand} card ending in ${settlement.last4}`,
  }
}

/** The payment as a lock screen shows it. */
export function purchaseOf({
  amount_minor: amountMinor,
  currency,
  merchant_audience: audience,
  merchant_name: name,
  merchant_verified: verified,
}: SettlementDetails) {
  return { amountMinor, currency, shop: { name, audience, verified } }
}

/** What the person is told about a payment, in plain words. */
export function describeOutcome(
  settlement: SettlementDetails,
  outcome: FinalOutcome,
): { subject: string; text: string } {
  const { amount, merchant, agent, card } = describeParties(settlement)
  if (outcome.status === 'succeeded') {
    return {
      subject: `You paid ${amount} to ${merchant}`,
      text: `Your agent paid ${amount} to ${merchant} with ${card}.\n\nAgent: ${agent}`,
    }
  }
  return {
    subject: `A payment of ${amount} to ${merchant} did not go through`,
    text:
      `Your agent tried to pay ${amount} to ${merchant} with ${card}. ` +
      `${reasonOf(outcome.code)} Nothing was charged.\n\nAgent: ${agent}`,
  }
}
