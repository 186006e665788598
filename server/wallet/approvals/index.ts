import { operation } from '../../base/contract/endpoint'
import { decideConsentEndpoint, listPendingConsentsEndpoint, readPendingConsentEndpoint } from './contract'
import { decideConsent as decideConsentVerb } from './decide-consent'
import { listPendingConsents, readPendingConsent } from './read-consents'

export const listPending = operation(listPendingConsentsEndpoint, listPendingConsents)
export const readPending = operation(readPendingConsentEndpoint, readPendingConsent)
export const decideConsent = operation(decideConsentEndpoint, decideConsentVerb)

export { approvePresented, describeShownPurchase } from './approve-presented'
export { type AskedTotal, countAsked } from './asked-store'
export { insertConfirmedPurchase } from './confirmed-store'
export { buildTooManyWaitingError, type ConsentToCreate, createConsent } from './create-consent'
export { declineConsents } from './decline-consents'
export { eraseApprovals } from './erase-approvals'
export {
  type AllowingRule,
  type Approval,
  type ApprovalRecord,
  allowingRuleSql,
  approvalSql,
  findApprovalRecord,
} from './evidence-store'
export type { PresentedEvidence } from './presented-evidence'
export {
  listPastConsents,
  listWaitingConsents,
  type PastConsent,
  type PortalConsent,
  readConsentForPortal,
  type WaitingConsent,
} from './read-consents'
export { rememberedAmount } from './remember-decision'
export {
  forgetAccessApproval,
  forgetApprovals,
  forgetMerchantApproval,
  isRemembered,
  isRememberedSql,
  listRememberedAccess,
  listRememberedMerchants,
  lockRememberedSql,
  merchantSubjectSql,
  type RememberedAmount,
} from './remembered-store'
export { asksWithinLimits, rememberedSubject } from './remembered-subject'
export { requireApproval } from './require-approval'
export {
  approvalsRevisionSql,
  authenticationSql,
  declinePendingApprovals,
  listAgentApprovals,
  PENDING_CONSENTS_PER_AGENT,
  saveMandateSql,
} from './store'
export { readStoredApprovals } from './stored-data'
export { withdrawEarlySql, withdrawPendingApprovals, withdrawPendingPurchases } from './withdrawal-store'
