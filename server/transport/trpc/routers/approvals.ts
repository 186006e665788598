import { noInput } from '../../../base/contract/portal-procedure'
import { readApproval, readApprovalProcedure } from '../../../surfaces/portal'
import { decideConsent, listPastConsents, listWaitingConsents } from '../../../wallet/approvals'
import { decideConsentProcedure, listWaitingProcedure } from '../../../wallet/approvals/contract'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const approvalsRouter = t.router({
  pending: portalQuery(listWaitingProcedure, listWaitingConsents),
  past: portalQuery(noInput, listPastConsents),
  one: portalQuery(readApprovalProcedure, readApproval),
  decide: portalMutation(decideConsentProcedure, decideConsent.verb),
})
