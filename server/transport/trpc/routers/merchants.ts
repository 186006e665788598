import { noInput } from '../../../base/contract/portal-procedure'
import {
  readMerchant,
  readMerchantProcedure,
  readMerchantsPage,
  searchDirectory,
  searchDirectoryProcedure,
} from '../../../surfaces/portal'
import { previewMerchantRule, saveMerchantGate, saveMerchantRule } from '../../../wallet/merchant-rules'
import {
  previewMerchantRuleProcedure,
  saveMerchantGateProcedure,
  saveMerchantRuleProcedure,
} from '../../../wallet/merchant-rules/contract'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const merchantsRouter = t.router({
  read: portalQuery(noInput, readMerchantsPage),
  one: portalQuery(readMerchantProcedure, readMerchant),
  search: portalQuery(searchDirectoryProcedure, searchDirectory),
  previewRule: portalQuery(previewMerchantRuleProcedure, previewMerchantRule),
  saveRule: portalMutation(saveMerchantRuleProcedure, saveMerchantRule.verb),
  saveGate: portalMutation(saveMerchantGateProcedure, saveMerchantGate.verb),
})
