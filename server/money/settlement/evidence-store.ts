import type { Platform } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { openPresentation } from './sealed-presentation'

type RefundRecord = Row<
  'Refund',
  'payment_intent_id' | 'reason' | 'amount_minor' | 'currency' | 'demanded_at' | 'refunded_at'
>

/** The stored evidence of a settlement, with those of its charges that were to be refunded, oldest first. */
export type SettlementRecord = Row<
  'Settlement',
  | 'state'
  | 'amount_minor'
  | 'currency'
  | 'merchant_audience'
  | 'application_fee_minor'
  | 'connected_account_id'
  | 'reserved_at'
  | 'settled_at'
> & {
  readonly settlement_id: string
  /** The mandate as it was presented; null for settlements from before it was stored. */
  readonly presentation: string | null
  readonly refunds: readonly RefundRecord[]
}

const refundColumns = {
  payment_intent_id: true,
  reason: true,
  amount_minor: true,
  currency: true,
  demanded_at: true,
  refunded_at: true,
} as const

/** Returns the record of a settlement that exists. */
export async function findSettlementRecord(platform: Platform, id: string): Promise<SettlementRecord> {
  const {
    refunds,
    sealed_presentation: sealed,
    ...settlement
  } = await platform.db.prisma.settlement.findUniqueOrThrow({
    where: { id },
    select: {
      state: true,
      amount_minor: true,
      currency: true,
      merchant_audience: true,
      application_fee_minor: true,
      connected_account_id: true,
      reserved_at: true,
      settled_at: true,
      sealed_presentation: true,
      refunds: { select: refundColumns, orderBy: [{ demanded_at: 'asc' }, { payment_intent_id: 'asc' }] },
    },
  })
  return {
    settlement_id: id,
    ...rowOf<Omit<SettlementRecord, 'settlement_id' | 'presentation' | 'refunds'>>(settlement),
    presentation: sealed === null ? null : openPresentation(platform, id, sealed),
    refunds: refunds.map((refund) => rowOf<RefundRecord>(refund)),
  }
}
