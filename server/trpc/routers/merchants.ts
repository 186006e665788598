import { saveMerchantGate, saveMerchantRule } from '../../policy'
import { readMerchantsPage } from '../../portal'
import { nothing } from '../../portal/contract'
import { t } from '../init'
import { mutation, portalQuery } from '../procedures'

export const merchantsRouter = t.router({
  read: portalQuery(nothing, readMerchantsPage),
  saveRule: mutation(saveMerchantRule),
  saveGate: mutation(saveMerchantGate),
})
