import * as z from 'zod'
import { announceChange } from '../../base/core/announce-change'
import { PermanentFailure } from '../../base/core/permanent-failure'
import type { Platform, Transaction } from '../../base/core/platform'
import { ProcessorRefused } from '../../base/core/processor'
import { recordAudit } from '../../shared/audit'
import { notify } from '../../shared/notifications'
import { enqueueJob } from '../../shared/queue'
import type { Charged } from './answers'
import { insertRefund, markRefunded, type SettlementDetails } from './store'

/** The reason why a charge must be refunded. */
export type RefundReason = 'settlement_failed' | 'another_charge' | 'wrong_amount'

export const REFUND_JOB = 'refund_charge'
const refundPayload = z.strictObject({ payment_intent_id: z.string() })

/**
 * Records once that a charge must be refunded, with the job that does it and the message about it. Returns whether this
 * call did.
 */
export async function demandRefund(
  tx: Transaction,
  platform: Platform,
  demand: { settlement: SettlementDetails; charge: Charged; reason: RefundReason },
): Promise<boolean> {
  const { settlement, charge, reason } = demand
  const now = platform.clock.now()
  const isNew = await insertRefund(tx, {
    paymentIntentId: charge.paymentIntentId,
    settlementId: settlement.id,
    principalId: settlement.principal_id,
    reason,
    amountMinor: charge.amountMinor,
    currency: charge.currency,
    now,
  })
  if (!isNew) return false
  const call = { platform, now }
  await enqueueJob(tx, call, {
    kind: REFUND_JOB,
    key: `refund:${charge.paymentIntentId}`,
    payload: { payment_intent_id: charge.paymentIntentId } satisfies z.input<typeof refundPayload>,
  })
  const link = `${platform.config.baseUrl}/activity`
  await notify(tx, call, {
    eventKey: `refund:${charge.paymentIntentId}`,
    event: 'payments',
    principalId: settlement.principal_id,
    email: settlement.email,
    compose: ({ payments: { refund }, money }) => {
      const amount = money(charge.amountMinor, charge.currency)
      return { subject: refund.subject(amount), text: `${refund.text(amount)}\n\n${link}` }
    },
    links: [link],
  })
  return true
}

/**
 * Refunds a charge at the processor; safe to repeat. When the processor refuses, the job fails for good, for an
 * operator to see.
 */
export async function refundCharge(platform: Platform, payload: unknown): Promise<void> {
  const { payment_intent_id: paymentIntentId } = refundPayload.parse(payload)
  try {
    await platform.processor.refundPayment(paymentIntentId)
  } catch (cause) {
    if (!(cause instanceof ProcessorRefused)) throw cause
    throw new PermanentFailure(cause.message, { cause })
  }
  const principalId = await platform.db.transaction((tx) => recordRefund(tx, platform, paymentIntentId))
  if (principalId !== null) await announceChange(platform, principalId)
}

/** Records a refund that was made, with its audit entry. Returns the person, or null when it is recorded already. */
async function recordRefund(tx: Transaction, platform: Platform, paymentIntentId: string): Promise<string | null> {
  const now = platform.clock.now()
  const refund = await markRefunded(tx, paymentIntentId, now)
  if (refund === null) return null
  const { tenant_id: tenantId, principal_id: principalId, ...payload } = refund
  const actor = { kind: 'processor', id: platform.processor.kind } as const
  await recordAudit(tx, { tenantId, principalId, event: 'oid4ac.payment.refunded', actor, payload, now })
  return principalId
}
