import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import type { paymentChoice, paymentFilter } from './contract'
import { findPaymentDetail, findPayments, type NamedPayment, type PaymentFilter, sumPayments } from './store'

export interface PaymentTotal {
  readonly currency: string
  readonly count: number
  /** Minor units. */
  readonly amountMinor: number
}

export interface PaymentPage {
  readonly payments: readonly NamedPayment[]
  /** Over everything that the filter matches, not only this page; one line per currency. */
  readonly totals: readonly PaymentTotal[]
  readonly hasMore: boolean
}

/** One page of the caller's payments, newest first, with totals per currency. */
export async function listPayments(
  { platform, actor }: WalletCall,
  input: z.output<typeof paymentFilter>,
): Promise<PaymentPage> {
  const filter: PaymentFilter = {
    statuses: input.status === undefined ? null : [input.status],
    clientId: input.agent_client_id ?? null,
    merchantAudience: input.merchant_audience ?? null,
    from: dateOrNull(input.from_iso),
    to: dateOrNull(input.to_iso),
  }
  const before =
    input.before === undefined
      ? null
      : { processedAt: new Date(input.before.processed_at_iso), paymentIntentId: input.before.payment_intent_id }
  const found = await findPayments(platform.db, actor.principalId, { filter, before, limit: input.limit + 1 })
  return {
    payments: found.slice(0, input.limit),
    totals: await sumPayments(platform.db, actor.principalId, filter),
    hasMore: found.length > input.limit,
  }
}

function dateOrNull(iso: string | undefined): Date | null {
  return iso === undefined ? null : new Date(iso)
}

export type PaymentDetail = NonNullable<Awaited<ReturnType<typeof findPaymentDetail>>>

/** One payment of the caller with consent, settlement and receipt. 404 when unknown or somebody else's. */
export async function readPayment(
  { platform, actor }: WalletCall,
  input: z.output<typeof paymentChoice>,
): Promise<PaymentDetail> {
  const payment = await findPaymentDetail(platform.db, actor.principalId, input.payment_intent_id)
  if (payment === null) throw new ServiceError('not_found', 'There is no such payment.')
  return payment
}
