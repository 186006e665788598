import { operation } from '../../base/contract/endpoint'
import { decideConsentEndpoint, listPendingConsentsEndpoint, readPendingConsentEndpoint } from './contract'
import { decideConsent as decideConsentVerb } from './decide-consent'
import { listPendingConsents, readPendingConsent } from './read-consents'

export const listPending = operation(listPendingConsentsEndpoint, listPendingConsents)
export const readPending = operation(readPendingConsentEndpoint, readPendingConsent)
export const decideConsent = operation(decideConsentEndpoint, decideConsentVerb)

export { type ConsentOrder, createConsent, tooManyWaiting } from './create-consent'
export { type Approval, approvalSql } from './evidence-store'
export { listPastConsents, listWaitingConsents, type PortalConsent, readConsentForPortal } from './read-consents'
export { rememberedAmount } from './remember-decision'
export {
  forgetAccessApproval,
  forgetApprovals,
  forgetMerchantApproval,
  isRememberedSql,
  listRememberedAccess,
  listRememberedMerchants,
  merchantSubjectSql,
  type RememberedAmount,
} from './remembered-store'
export { rememberedSubject } from './remembered-subject'
export { requireApproval } from './require-approval'
export {
  approvalsRevisionSql,
  authenticationSql,
  declinePendingApprovals,
  listAgentApprovals,
  PENDING_CONSENTS_PER_AGENT,
  saveMandateSql,
  withdrawPendingPurchases,
  withdrawPresentedSql,
} from './store'
