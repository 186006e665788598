import { saveMerchantGate, saveMerchantRule } from '../../policy'
import { readMerchantsPage, searchDirectory } from '../../portal'
import { directorySearch, nothing } from '../../portal/contract'
import { t } from '../init'
import { mutation, portalQuery } from '../procedures'

export const merchantsRouter = t.router({
  read: portalQuery(nothing, readMerchantsPage),
  search: portalQuery(directorySearch, searchDirectory),
  saveRule: mutation(saveMerchantRule),
  saveGate: mutation(saveMerchantGate),
})
