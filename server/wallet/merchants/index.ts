export { defaultFeeBps, feeLimit, SANDBOX_FEE_BPS } from './application-fee'
export { AUDIENCE_RULE, payableAudience } from './audience'
export { buildLapsedError } from './lapsed-error'
export { atOrAboveSql, hasLapsedSql, isListedSql, isVerifiedSql } from './listed-sql'
export {
  countMerchants,
  type DirectoryFilter,
  ensureMerchant,
  findEnrolledMerchant,
  hasLapsed,
  insertMerchant,
  isListedAudience,
  isVerifiedMerchant,
  listDirectory,
  listMerchants,
  lockMerchant,
  type MerchantRow,
  updateMerchant,
} from './store'
export { tieMerchant } from './tie-merchant'
