import type { Platform, Transaction } from '../../base/core/platform'
import { recordAudits } from '../../shared/audit'
import type { PaymentStatus } from './contract'
import { type DisputeStatus, notifyDispute } from './notify-dispute'
import { type Payment, updateDispute } from './store'

export interface Dispute {
  readonly paymentIntentId: string
  readonly status: DisputeStatus
  readonly platform: Platform
  readonly now: Date
}

interface DisputeMove {
  readonly from: PaymentStatus
  readonly to: PaymentStatus
  readonly status: DisputeStatus
}

const opening: DisputeMove = { from: 'succeeded', to: 'disputed_pending', status: 'pending' }
/** The moves to each status of a dispute. A result that arrives before the opening of its dispute makes both moves. */
const edgesTo: Readonly<Record<DisputeStatus, readonly DisputeMove[]>> = {
  pending: [opening],
  won: [opening, { from: 'disputed_pending', to: 'disputed_won', status: 'won' }],
  lost: [opening, { from: 'disputed_pending', to: 'disputed_lost', status: 'lost' }],
}

/**
 * Moves a payment along succeeded, disputed_pending, disputed_won or disputed_lost, never back, with one audit entry
 * and one message to the person per step. A status that is late, repeated or about an unknown payment changes nothing.
 * Returns whether anything moved.
 */
export async function applyDispute(tx: Transaction, dispute: Dispute): Promise<boolean> {
  const { platform, now } = dispute
  const moved: { payment: Payment; status: DisputeStatus }[] = []
  for (const edge of edgesTo[dispute.status]) {
    const payment = await updateDispute(tx, dispute.paymentIntentId, edge)
    if (payment !== null) moved.push({ payment, status: edge.status })
  }
  for (const step of moved) await notifyDispute(tx, platform, { ...step, now })
  await recordAudits(
    tx,
    moved.map(({ payment, status }) => ({
      tenantId: payment.tenantId,
      principalId: payment.principalId,
      event: 'oid4ac.payment.disputed',
      actor: { kind: 'processor', id: platform.processor.kind },
      payload: {
        mandate_id: payment.mandateId,
        payment_intent_id: payment.paymentIntentId,
        amount_minor: payment.amountMinor,
        currency: payment.currency,
        merchant_audience: payment.merchantAudience,
        dispute_status: status,
      },
      now,
    })),
  )
  return moved.length > 0
}
