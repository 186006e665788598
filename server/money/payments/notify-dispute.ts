import type { Platform, Transaction } from '../../base/core/platform'
import { notify, shopName } from '../../shared/notifications'
import { findParties, type Payment } from './store'

export type DisputeStatus = 'pending' | 'won' | 'lost'

interface DisputeStep {
  readonly payment: Payment
  readonly status: DisputeStatus
  readonly now: Date
}

/** Notifies the person once of one step of a dispute, in the transaction that records the step. */
export async function notifyDispute(
  tx: Transaction,
  platform: Platform,
  { payment, status, now }: DisputeStep,
): Promise<void> {
  const { paymentIntentId, principalId, amountMinor, currency } = payment
  const { email, merchantName: name, merchantVerified: verified } = await findParties(tx, payment, now)
  const shop = shopName({ name, audience: payment.merchantAudience, verified })
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
      compose: ({ payments: { disputes }, money }) => {
        const subject = disputes[status].subject(disputes.what(money(amountMinor, currency), shop))
        return { subject, text: `${subject}. ${disputes[status].text}\n\n${link}` }
      },
      links: [link],
    },
  )
}
