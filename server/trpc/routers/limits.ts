import { approveLimitBump, declineLimitBump, listLimitBumps, saveLimits } from '../../limits'
import { chooseApprovalRule, chooseMagicLinkGate, previewPurchase, readLimitsPage } from '../../portal'
import { gateChoice, nothing, purchaseSketch, ruleChoice } from '../../portal/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const limitsRouter = t.router({
  read: portalQuery(nothing, readLimitsPage),
  save: mutation(saveLimits),
  preview: portalQuery(purchaseSketch, previewPurchase),
  saveApprovalRule: portalMutation(ruleChoice, chooseApprovalRule),
  saveMagicLinkGate: portalMutation(gateChoice, chooseMagicLinkGate),
  bumps: query(listLimitBumps),
  approveBump: mutation(approveLimitBump),
  declineBump: mutation(declineLimitBump),
})
