import type * as z from 'zod'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { paymentChoice } from './contract'
import type { PaymentFilter } from './filter-sql'
import { findPaymentDetail, listDisputedRows, listPaymentRows, type NamedPayment, type PageBefore } from './store'
import { sumPayments } from './totals-store'

export interface PaymentTotal {
  readonly currency: string
  readonly count: number
  /** Minor units. */
  readonly amountMinor: number
}

export interface PaymentPage {
  readonly payments: readonly NamedPayment[]
  /** The totals of all payments that match the filter, not only of this page; one per currency. */
  readonly totals: readonly PaymentTotal[]
  readonly hasMore: boolean
}

interface PaymentSearch {
  readonly filter: PaymentFilter
  /** The last payment of the page before; null for the first page. */
  readonly before: PageBefore | null
  readonly limit: number
}

/** Returns one page of the caller's payments, newest first, with totals per currency. */
export async function listPayments(
  { platform, actor }: WalletCall,
  { filter, before, limit }: PaymentSearch,
): Promise<PaymentPage> {
  const [found, totals] = await Promise.all([
    listPaymentRows(platform.db, actor.principalId, { filter, before, limit: limit + 1 }),
    sumPayments(platform.db, actor.principalId, filter),
  ])
  return { payments: found.slice(0, limit), totals, hasMore: found.length > limit }
}

/** Returns the caller's newest payments without totals. */
export function listRecentPayments(
  { platform, actor }: WalletCall,
  { limit, ...filter }: Pick<PaymentFilter, 'clientId'> & { readonly limit: number },
): Promise<NamedPayment[]> {
  return listPaymentRows(platform.db, actor.principalId, { filter, before: null, limit })
}

/** Returns the caller's newest payments whose dispute is not decided yet. */
export function listOpenDisputes({ platform, actor }: WalletCall, limit: number): Promise<NamedPayment[]> {
  return listDisputedRows(platform.db, actor.principalId, limit)
}

/** The number of payments that an export reads at once. */
const EXPORT_PAGE = 1_000
/** The largest number of rows in an export. */
export const EXPORT_MAX_PAYMENTS = 100_000

/**
 * Yields all of the caller's payments that match the filter, newest first, page by page: at most 100,000 payments. A
 * payment that is made while the export runs is not included.
 */
export async function* exportPayments(
  { platform, actor }: WalletCall,
  filter: PaymentFilter,
): AsyncGenerator<readonly NamedPayment[], void> {
  let before: PageBefore | null = null
  for (let exported = 0; exported < EXPORT_MAX_PAYMENTS; exported += EXPORT_PAGE) {
    const page: NamedPayment[] = await listPaymentRows(platform.db, actor.principalId, {
      filter,
      before,
      limit: EXPORT_PAGE,
    })
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (last === undefined || page.length < EXPORT_PAGE) return
    before = last
  }
}

export type PaymentDetail = NonNullable<Awaited<ReturnType<typeof findPaymentDetail>>>

/**
 * Returns one payment of the caller with consent, settlement and receipt. 404 when it is unknown or another person's.
 */
export async function readPayment(
  { platform, actor }: WalletCall,
  input: z.output<typeof paymentChoice>,
): Promise<PaymentDetail> {
  const payment = await findPaymentDetail(platform.db, actor.principalId, input.payment_intent_id)
  if (payment === null) throw new ServiceError('not_found', 'There is no such payment.')
  return payment
}
