export { activityFilter, listActivityProcedure } from './activity/contract'
export { listActivity, writeActivityJson } from './activity/list-activity'
export type * from './activity/view'
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
export { readApprovalProcedure } from './approvals/contract'
export { readApproval } from './approvals/read-approval'
export type * from './approvals/view'
export { beginEnrolment } from './cards/begin-enrolment'
export { beginEnrolmentProcedure, enrolTestCardProcedure } from './cards/contract'
export { enrolTestCard } from './cards/enrol-test-card'
export { readEnrolment } from './cards/read-enrolment'
export type * from './cards/view'
export { listRequests, readDevelopers } from './developers/read-developers'
export type * from './developers/view'
export { readHome } from './home/read-home'
export type * from './home/view'
export type { ApprovalRule } from './input'
export { chooseApprovalRule, chooseMagicLinkGate } from './limits/choose-rules'
export { chooseApprovalRuleProcedure, chooseMagicLinkGateProcedure, previewPurchaseProcedure } from './limits/contract'
export { listBumps } from './limits/list-bumps'
export { previewPurchase } from './limits/preview-purchase'
export { readLimitsPage } from './limits/read-limits'
export type * from './limits/view'
export { searchDirectoryProcedure } from './merchants/contract'
export { readMerchantsPage } from './merchants/read-merchants'
export { searchDirectory } from './merchants/search-directory'
export type * from './merchants/view'
export { sendTestMessage } from './notifications/send-test-message'
export { answerTestBank } from './payments/answer-test-bank'
export {
  answerTestBankProcedure,
  bankStepUpProcedure,
  paymentSelection,
  readPaymentProcedure,
  searchPaymentsProcedure,
} from './payments/contract'
export { writePaymentsCsv } from './payments/payments-csv'
export { readPaymentDetail } from './payments/read-payment'
export { readSpending } from './payments/read-spending'
export { searchPayments } from './payments/search-payments'
export { verifyReceipt } from './payments/verify-receipt'
export type * from './payments/view'
export { readSession } from './session/read-session'
export type * from './session/view'
export { watchChanges } from './session/watch-changes'
export { listTestCards } from './shared/test-cards'
export type * from './shared/view'
