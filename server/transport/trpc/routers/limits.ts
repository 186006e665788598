import { noInput } from '../../../base/contract/portal-procedure'
import {
  chooseApprovalRule,
  chooseApprovalRuleProcedure,
  chooseMagicLinkGate,
  chooseMagicLinkGateProcedure,
  listBumps,
  previewPurchase,
  previewPurchaseProcedure,
  readLimitsPage,
} from '../../../surfaces/portal'
import {
  approveLimitBump,
  declineLimitBump,
  freezeSpending,
  restoreSpending,
  saveLimits,
  undoLowering,
} from '../../../wallet/limits'
import {
  approveBumpProcedure,
  restoreSpendingProcedure,
  saveLimitsProcedure,
  undoLoweringProcedure,
} from '../../../wallet/limits/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery } from '../procedures'

export const limitsRouter = t.router({
  read: portalQuery(noInput, readLimitsPage),
  save: portalMutation(saveLimitsProcedure, saveLimits.verb),
  undoLowering: portalMutation(undoLoweringProcedure, undoLowering),
  freeze: portalMutation(noInput, freezeSpending),
  restore: portalMutation(restoreSpendingProcedure, restoreSpending),
  preview: portalQuery(previewPurchaseProcedure, previewPurchase),
  saveApprovalRule: portalMutation(chooseApprovalRuleProcedure, chooseApprovalRule),
  saveMagicLinkGate: portalMutation(chooseMagicLinkGateProcedure, chooseMagicLinkGate),
  bumps: portalQuery(noInput, listBumps),
  approveBump: portalMutation(approveBumpProcedure, approveLimitBump.verb),
  declineBump: mutation(declineLimitBump),
})
