import { DAY_MILLISECONDS } from '../../../base/core/calendar-day'
import type { NamedPayment } from '../../../money/payments'
import type { CardView, HomeAlert } from './view'

const EXPIRES_SOON_DAYS = 60

interface AlertInputs {
  readonly cards: readonly CardView[]
  readonly disputed: readonly NamedPayment[]
}

/** Returns the alerts that need the person's attention, the most urgent first. */
export function homeAlerts({ cards, disputed }: AlertInputs, now: Date): HomeAlert[] {
  return [
    ...disputed.map((payment) => ({
      kind: 'dispute' as const,
      payment_intent_id: payment.paymentIntentId,
      amount_minor: payment.amountMinor,
      currency: payment.currency,
      merchant_name: payment.merchantName,
      merchant_audience: payment.merchantAudience,
    })),
    ...cards.flatMap((card) => cardAlert(card, now)),
  ]
}

/** Returns the alert of a card that has expired or soon will. A card is valid to the end of its last month. */
function cardAlert({ brand, last4, exp_month, exp_year }: CardView, now: Date): HomeAlert[] {
  const daysLeft = (Date.UTC(exp_year, exp_month, 1) - now.getTime()) / DAY_MILLISECONDS
  if (daysLeft > EXPIRES_SOON_DAYS) return []
  return [{ kind: daysLeft <= 0 ? 'card_expired' : 'card_expiring', card: { brand, last4 }, exp_month, exp_year }]
}
