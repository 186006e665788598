import {
  approveBumpInPortal,
  declineLimitBump,
  freezeSpending,
  restoreSpending,
  saveLimitsInPortal,
  undoLowering,
} from '../../limits'
import { bumpChoice, limitsChoice, restoreChoice, undoChoice } from '../../limits/contract'
import { chooseApprovalRule, chooseMagicLinkGate, listBumps, previewPurchase, readLimitsPage } from '../../portal'
import { gateChoice, nothing, purchaseSketch, ruleChoice } from '../../portal/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery } from '../procedures'

export const limitsRouter = t.router({
  read: portalQuery(nothing, readLimitsPage),
  save: portalMutation(limitsChoice, saveLimitsInPortal),
  undoLowering: portalMutation(undoChoice, undoLowering),
  freeze: portalMutation(nothing, freezeSpending),
  restore: portalMutation(restoreChoice, restoreSpending),
  preview: portalQuery(purchaseSketch, previewPurchase),
  saveApprovalRule: portalMutation(ruleChoice, chooseApprovalRule),
  saveMagicLinkGate: portalMutation(gateChoice, chooseMagicLinkGate),
  bumps: portalQuery(nothing, listBumps),
  approveBump: portalMutation(bumpChoice, approveBumpInPortal),
  declineBump: mutation(declineLimitBump),
})
