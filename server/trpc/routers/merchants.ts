import { previewMerchantRule, saveMerchantGateInPortal, saveMerchantRuleInPortal } from '../../policy'
import { merchantGateChoice, merchantRuleChoice, merchantRuleRequest } from '../../policy/contract'
import { readMerchantsPage, searchDirectory } from '../../portal'
import { directorySearch, nothing } from '../../portal/contract'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const merchantsRouter = t.router({
  read: portalQuery(nothing, readMerchantsPage),
  search: portalQuery(directorySearch, searchDirectory),
  previewRule: portalQuery(merchantRuleRequest, previewMerchantRule),
  saveRule: portalMutation(merchantRuleChoice, saveMerchantRuleInPortal),
  saveGate: portalMutation(merchantGateChoice, saveMerchantGateInPortal),
})
