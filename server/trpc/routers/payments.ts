import { answerTestBank, readPaymentDetail, readSpending, searchPayments, verifyReceipt } from '../../portal'
import { bankAnswer, nothing, paymentChoice, paymentSearch, stepUpChoice } from '../../portal/contract'
import { checkStepUp, declineStepUp, listStepUps, readStepUp } from '../../settlement'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const paymentsRouter = t.router({
  list: portalQuery(paymentSearch, searchPayments),
  one: portalQuery(paymentChoice, readPaymentDetail),
  spending: portalQuery(nothing, readSpending),
  verifyReceipt: portalQuery(paymentChoice, verifyReceipt),
  stepUps: portalQuery(nothing, listStepUps),
  stepUp: portalQuery(stepUpChoice, readStepUp),
  checkStepUp: portalMutation(stepUpChoice, checkStepUp),
  declineStepUp: portalMutation(stepUpChoice, declineStepUp),
  answerTestBank: portalMutation(bankAnswer, answerTestBank),
})
