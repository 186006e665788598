import { operation } from '../../base/contract/endpoint'
import { settleEndpoint } from './contract'
import { settle } from './settle'

export { type FinalOutcome, type SettlementAnswer, settlementResponse } from './answers'
export { awaitSubmitted } from './await-submitted'
export {
  announceStop,
  type CardholderChallenge,
  checkCardholderChallenge,
  declineCardholderChallenge,
  listCardholderChallenges,
  readCardholderChallenge,
} from './cardholder-challenge'
export { settledBody } from './contract'
export { eraseSettlementKeys } from './erase-settlements'
export { findSettlementRecord, type SettlementRecord } from './evidence-store'
export { drainSettlements } from './in-flight'
export { prepareIntentEffect } from './intent-effect'
export { countOpenSettlements } from './open-settlement-store'
export { REFUND_JOB, refundCharge } from './refunds'
export { resolveUnknown } from './resolve-unknown'
export { sealedPresentations } from './sealed-presentation'
export { type SettlementRequest, settleMandate } from './settle-mandate'
export {
  findSettlement,
  findSettlementByIntent,
  type Settlement,
  settlementOfMandateSql,
  settlementsRevisionSql,
} from './store'
export { readStoredSettlements } from './stored-data'

/**
 * POST /settlement/settle. 200 and 402 are final for the key and replayed byte for byte; see {@link settleMandate} for
 * the refusals.
 */
export const settleOwnMandate = operation(settleEndpoint, settle)
