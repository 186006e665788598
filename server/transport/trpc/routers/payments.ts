import { noInput } from '../../../base/contract/portal-procedure'
import {
  checkCardholderChallenge,
  declineCardholderChallenge,
  listCardholderChallenges,
} from '../../../money/settlement'
import {
  answerTestBank,
  answerTestBankProcedure,
  cardholderChallengeProcedure,
  listParties,
  provePayment,
  readChallenge,
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
  stepUps: portalQuery(noInput, listCardholderChallenges),
  stepUp: portalQuery(cardholderChallengeProcedure, readChallenge),
  checkStepUp: portalMutation(cardholderChallengeProcedure, checkCardholderChallenge),
  declineStepUp: portalMutation(cardholderChallengeProcedure, declineCardholderChallenge),
  answerTestBank: portalMutation(answerTestBankProcedure, answerTestBank),
})
