import { operation } from '../../base/contract/endpoint'
import { readPaymentHistoryEndpoint } from './contract'
import { readPaymentHistory } from './read-payment-history'

export { applyDispute, type Dispute } from './apply-dispute'
export type { PaymentFilter } from './filter-sql'
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
export type { DisputeStatus } from './notify-dispute'
export { listPaidMerchants, listPayingAgents, type PaidMerchant, type PayingAgent } from './parties-store'
export { readSpending, type Spending } from './read-spending'
export { startIn } from './spending-days'
export { sumByAgent, sumByMerchantOfAgent } from './spending-store'
export {
  findPaymentDetail,
  findPaymentOwner,
  insertPaymentSql,
  type NamedPayment,
  type Payment,
  paymentsRevisionSql,
} from './store'
export { readStoredPayments } from './stored-data'

/** GET /wallet/payment-history. 429 rate_limited with Retry-After. */
export const readWalletPaymentHistory = operation(readPaymentHistoryEndpoint, readPaymentHistory)
