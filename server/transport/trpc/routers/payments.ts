import { noInput } from '../../../base/contract/portal-procedure'
import { checkStepUp, declineStepUp, listStepUps, readStepUp } from '../../../money/settlement'
import {
  answerTestBank,
  answerTestBankProcedure,
  bankStepUpProcedure,
  listParties,
  provePayment,
  readPaymentDetail,
  readPaymentProcedure,
  readSpending,
  readSpendingProcedure,
  searchPayments,
  searchPaymentsProcedure,
  verifyReceipt,
} from '../../../surfaces/portal'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const paymentsRouter = t.router({
  list: portalQuery(searchPaymentsProcedure, searchPayments),
  one: portalQuery(readPaymentProcedure, readPaymentDetail),
  parties: portalQuery(noInput, listParties),
  spending: portalQuery(readSpendingProcedure, readSpending),
  prove: portalQuery(readPaymentProcedure, provePayment),
  verifyReceipt: portalQuery(readPaymentProcedure, verifyReceipt),
  stepUps: portalQuery(noInput, listStepUps),
  stepUp: portalQuery(bankStepUpProcedure, readStepUp),
  checkStepUp: portalMutation(bankStepUpProcedure, checkStepUp),
  declineStepUp: portalMutation(bankStepUpProcedure, declineStepUp),
  answerTestBank: portalMutation(answerTestBankProcedure, answerTestBank),
})
