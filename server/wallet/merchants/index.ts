export {
  countMerchants,
  type DirectoryFilter,
  ensureMerchant,
  findConnectedAccount,
  insertMerchant,
  isVerifiedMerchant,
  listDirectory,
  listMerchants,
  type MerchantFields,
  type MerchantRow,
  updateMerchant,
} from './store'
