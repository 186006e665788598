import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { type readPaymentHistoryEndpoint } from './contract'
import { listPaymentRows } from './store'
import { sumPayments } from './totals-store'

type History = typeof readPaymentHistoryEndpoint

/** Returns the caller's payments between two instants (both included), newest first; disputed ones may be left out. */
export async function readPaymentHistory(call: WalletCall, input: InputOf<History>): Promise<OutputOf<History>> {
  const { platform, actor } = call
  const filter = {
    status: input.include_disputed ? undefined : ('succeeded' as const),
    from: input.from_iso === undefined ? undefined : new Date(input.from_iso),
    to: input.to_iso === undefined ? undefined : new Date(input.to_iso),
  }
  const payments = await listPaymentRows(platform.db, actor.principalId, { filter, before: null, limit: input.limit })
  const totals = await sumPayments(platform.db, actor.principalId, filter)
  const totalCount = totals.reduce((sum, { count }) => sum + count, 0)
  return {
    payments: payments.map((payment) => ({
      payment_intent_id: payment.paymentIntentId,
      merchant_audience: payment.merchantAudience,
      amount_minor: payment.amountMinor,
      currency: payment.currency,
      processed_at_iso: payment.processedAt.toISOString(),
      status: payment.status,
      mandate_id: payment.mandateId,
      agent_client_id: payment.clientId,
      receipt_url: `${platform.config.baseUrl}/payments/${payment.paymentIntentId}`,
    })),
    total_count: totalCount,
    has_more: totalCount > payments.length,
  }
}
