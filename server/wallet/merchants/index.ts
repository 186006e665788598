export { defaultFeeBps, feeLimit, SANDBOX_FEE_BPS } from './application-fee'
export { AUDIENCE_RULE, payableAudience } from './audience'
export {
  countMerchants,
  type DirectoryFilter,
  ensureMerchant,
  insertMerchant,
  isListedSql,
  isVerifiedMerchant,
  listDirectory,
  listMerchants,
  lockMerchant,
  type MerchantRow,
  updateMerchant,
} from './store'
