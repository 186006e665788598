import { noInput } from '../../../base/contract/portal-procedure'
import { freezeSpending, liftFreeze } from '../../../surfaces/agents'
import { unfreezeSpendingProcedure } from '../../../surfaces/agents/contract'
import {
  chooseApprovalRule,
  chooseApprovalRuleProcedure,
  chooseMagicLinkGate,
  chooseMagicLinkGateProcedure,
  listBumps,
  readAskedCount,
  readAskedCountProcedure,
  readLimitsPage,
} from '../../../surfaces/portal'
import {
  approveLimitBump,
  declineLimitBump,
  removeCurrency,
  saveCurrency,
  saveLimits,
  undoLowering,
} from '../../../wallet/limits'
import {
  approveBumpProcedure,
  removeCurrencyProcedure,
  saveCurrencyProcedure,
  saveLimitsProcedure,
  undoLoweringProcedure,
} from '../../../wallet/limits/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery } from '../procedures'

export const limitsRouter = t.router({
  read: portalQuery(noInput, readLimitsPage),
  save: portalMutation(saveLimitsProcedure, saveLimits.verb),
  saveCurrency: portalMutation(saveCurrencyProcedure, saveCurrency),
  removeCurrency: portalMutation(removeCurrencyProcedure, removeCurrency),
  undoLowering: portalMutation(undoLoweringProcedure, undoLowering),
  freeze: mutation(freezeSpending),
  unfreeze: portalMutation(unfreezeSpendingProcedure, liftFreeze),
  askedCount: portalQuery(readAskedCountProcedure, readAskedCount),
  saveApprovalRule: portalMutation(chooseApprovalRuleProcedure, chooseApprovalRule),
  saveMagicLinkGate: portalMutation(chooseMagicLinkGateProcedure, chooseMagicLinkGate),
  bumps: portalQuery(noInput, listBumps),
  approveBump: portalMutation(approveBumpProcedure, approveLimitBump.verb),
  declineBump: mutation(declineLimitBump),
})
