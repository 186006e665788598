import { operation } from '../contract/endpoint'
import { readPaymentHistoryEndpoint } from './contract'
import { readPaymentHistory } from './read-payment-history'

export { applyDispute, type Dispute } from './apply-dispute'
export {
  EXPORT_MAX_PAYMENTS,
  exportPayments,
  listOpenDisputes,
  listPayments,
  listRecentPayments,
  type PaymentDetail,
  type PaymentPage,
  type PaymentTotal,
  readPayment,
} from './list-payments'
export { readSpending, SPENDING_DAYS, type Spending } from './read-spending'
export { type NamedPayment, type Payment, recordPayment } from './store'
export type { DisputeStatus } from './tell-dispute'

/** GET /wallet/payment-history. 429 rate_limited with Retry-After. */
export const readWalletPaymentHistory = operation(readPaymentHistoryEndpoint, readPaymentHistory)
