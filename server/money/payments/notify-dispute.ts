import { decimalAmount } from '../../base/core/money'
import type { Platform, Transaction } from '../../base/core/platform'
import { notify, shopName } from '../../shared/notifications'
import { findParties, type Payment } from './store'

export type DisputeStatus = 'pending' | 'won' | 'lost'

interface DisputeStep {
  readonly payment: Payment
  readonly status: DisputeStatus
  readonly now: Date
}

const steps: Readonly<Record<DisputeStatus, { subject: (what: string) => string; text: string }>> = {
  pending: {
    subject: (what) => `Your payment of ${what} is disputed`,
    text: 'A dispute about it was opened at your bank and is being looked into. You will hear how it ends.',
  },
  won: {
    subject: (what) => `The dispute about ${what} is over: the payment stands`,
    text: 'It was closed in favour of the merchant. Nothing more is charged.',
  },
  lost: {
    subject: (what) => `The dispute about ${what} is over: the money goes back`,
    text: 'It was closed in your favour, and your bank returns the money to your card.',
  },
}

/** Tells the person about one step of a dispute, once, in the transaction that takes it. */
export async function notifyDispute(
  tx: Transaction,
  platform: Platform,
  { payment, status, now }: DisputeStep,
): Promise<void> {
  const { paymentIntentId, principalId, amountMinor, currency } = payment
  const { email, merchantName: name, merchantVerified: verified } = await findParties(tx, payment, now)
  const shop = shopName({ name, audience: payment.merchantAudience, verified })
  const what = `${decimalAmount(amountMinor, currency)} ${currency} to ${shop}`
  const { subject, text } = steps[status]
  const link = `${platform.config.baseUrl}/payments/${paymentIntentId}`
  const about = `dispute:${paymentIntentId}`
  await notify(
    tx,
    { platform, now },
    {
      eventKey: `${about}:${status}`,
      event: 'disputes',
      about,
      principalId,
      email,
      subject: subject(what),
      text: `${subject(what)}. ${text}\n\n${link}`,
      links: [link],
    },
  )
}
