export { AUDIENCE_RULE, payableAudience } from './audience'
export {
  countMerchants,
  type DirectoryFilter,
  ensureMerchant,
  findConnectedAccount,
  insertMerchant,
  isVerifiedMerchant,
  listDirectory,
  listMerchants,
  type MerchantRow,
  updateMerchant,
} from './store'
