import { readPaymentDetail, searchPayments } from '../../portal'
import { paymentChoice, paymentSearch } from '../../portal/contract'
import { t } from '../init'
import { portalQuery } from '../procedures'

export const paymentsRouter = t.router({
  list: portalQuery(paymentSearch, searchPayments),
  one: portalQuery(paymentChoice, readPaymentDetail),
})
