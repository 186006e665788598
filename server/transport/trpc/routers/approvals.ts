import { noInput } from '../../../base/contract/portal-procedure'
import {
  openWalletRequest,
  openWalletRequestProcedure,
  readApproval,
  readApprovalProcedure,
  readWalletAnswer,
  readWalletAnswerProcedure,
} from '../../../surfaces/portal'
import { decideConsent, declineConsents, listPastConsents, listWaitingConsents } from '../../../wallet/approvals'
import { decideConsentProcedure, declineConsentsProcedure, listPastProcedure } from '../../../wallet/approvals/contract'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const approvalsRouter = t.router({
  pending: portalQuery(noInput, listWaitingConsents),
  past: portalQuery(listPastProcedure, listPastConsents),
  one: portalQuery(readApprovalProcedure, readApproval),
  decide: portalMutation(decideConsentProcedure, decideConsent.verb),
  declineAll: portalMutation(declineConsentsProcedure, declineConsents),
  askWallet: portalMutation(openWalletRequestProcedure, openWalletRequest),
  walletAnswer: portalQuery(readWalletAnswerProcedure, readWalletAnswer),
})
