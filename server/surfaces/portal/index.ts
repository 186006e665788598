export { activityFilter, listActivityProcedure } from './activity/contract'
export { listActivity, writeActivityJson } from './activity/list-activity'
export type * from './activity/view'
export { ageRequestProcedure, proveAgeProcedure } from './age/contract'
export { proveAge, readAgeRequest, withdrawAgeRequest } from './age/prove-age'
export { readAge } from './age/read-age'
export type * from './age/view'
export { cancelConnection, connectAgent } from './agents/connect-agent'
export {
  connectAgentProcedure,
  forgetMerchantProcedure,
  readAgentProcedure,
  setupTokenProcedure,
} from './agents/contract'
export { forgetMerchant } from './agents/forget-merchant'
export { listAgentSummaries, readAgentDetail } from './agents/read-agents'
export type * from './agents/view'
export { openWalletRequestProcedure, readApprovalProcedure, readWalletAnswerProcedure } from './approvals/contract'
export { readApproval } from './approvals/read-approval'
export { readMagicLinkView } from './approvals/read-magic-link-view'
export type * from './approvals/view'
export { openWalletRequest, readWalletAnswer } from './approvals/wallet-request'
export { beginEnrolment } from './cards/begin-enrolment'
export { beginEnrolmentProcedure, enrolTestCardProcedure } from './cards/contract'
export { enrolTestCard } from './cards/enrol-test-card'
export { readEnrolment } from './cards/read-enrolment'
export type * from './cards/view'
export { offerCredential } from './credentials/offer-credential'
export type * from './credentials/view'
export { listRequests, readDevelopers } from './developers/read-developers'
export type * from './developers/view'
export { readHome } from './home/read-home'
export type * from './home/view'
export type { ApprovalRule } from './input'
export { chooseApprovalRule, chooseMagicLinkGate } from './limits/choose-rules'
export {
  chooseApprovalRuleProcedure,
  chooseMagicLinkGateProcedure,
  readAskedCountProcedure,
} from './limits/contract'
export { listBumps } from './limits/list-bumps'
export { readAskedCount } from './limits/read-asked-count'
export { readLimitsPage } from './limits/read-limits'
export type * from './limits/view'
export { readMerchantProcedure, searchDirectoryProcedure } from './merchants/contract'
export { readMerchant } from './merchants/read-merchant'
export { readMerchantsPage } from './merchants/read-merchants'
export { searchDirectory } from './merchants/search-directory'
export type * from './merchants/view'
export { sendTestProcedure } from './notifications/contract'
export { mailDailySummaries } from './notifications/mail-daily-summaries'
export { sendTestMessage } from './notifications/send-test-message'
export type * from './notifications/view'
export { answerTestBank } from './payments/answer-test-bank'
export {
  answerTestBankProcedure,
  cardholderChallengeProcedure,
  paymentSelection,
  readPaymentProcedure,
  readSpendingProcedure,
  searchPaymentsProcedure,
} from './payments/contract'
export { listParties } from './payments/list-parties'
export { writePaymentsCsv } from './payments/payments-csv'
export { provePayment } from './payments/prove-payment'
export { readChallenge } from './payments/read-challenge'
export { readPaymentDetail } from './payments/read-payment'
export { readSpending } from './payments/read-spending'
export { searchPayments } from './payments/search-payments'
export { verifyReceipt } from './payments/verify-receipt'
export type * from './payments/view'
export { securityActivityProcedure } from './security/contract'
export { listSecurityActivity } from './security/list-security-activity'
export { undoChange, useMailedLink } from './security/undo'
export type * from './security/view'
export { readSession } from './session/read-session'
export type * from './session/view'
export { watchChanges } from './session/watch-changes'
export { listTestCards } from './shared/test-cards'
export type * from './shared/view'
export { leaveWelcome } from './welcome/leave-welcome'
export { readWelcome } from './welcome/read-welcome'
export type * from './welcome/view'
