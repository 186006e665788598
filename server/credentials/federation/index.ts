import { operation } from '../../base/contract/endpoint'
import {
  checkTrustMarkEndpoint,
  fetchStatementEndpoint,
  issueTrustMarkEndpoint,
  listSubordinateIdsEndpoint,
  readEntityConfigurationEndpoint,
  readMerchantKeysEndpoint,
  readTrustMarkStatusEndpoint,
  resolveEntityEndpoint,
  revokeTrustMarkEndpoint,
} from './contract'
import { issueTrustMark } from './issue-trust-mark'
import { readMerchantKeys } from './read-merchant-keys'
import { fetchStatement, listSubordinateIds, readEntityConfiguration } from './read-statements'
import { resolveEntity } from './resolve-entity'
import { revokeTrustMark } from './revoke-trust-mark'
import { checkTrustMark, readTrustMarkStatus } from './trust-mark-status'

export { checkEnrolments, checkSlowEnrolments } from './check-enrolments'
export { noteSubordinateChange } from './note-subordinate'
export {
  insertSubordinate,
  listSubordinates,
  lockSubordinate,
  type SubordinateRow,
  subordinateStatuses,
  updateSubordinate,
} from './subordinate-store'
export { type Reinstatement, reinstateMarks } from './trust-mark-store'

/** GET /.well-known/openid-federation. */
export const entityConfiguration = operation(readEntityConfigurationEndpoint, readEntityConfiguration)
/** GET /federation/fetch. 404 unless the subject is an active subordinate. */
export const subordinateStatement = operation(fetchStatementEndpoint, fetchStatement)
/** GET /federation/list. */
export const subordinateIds = operation(listSubordinateIdsEndpoint, listSubordinateIds)
/** GET /federation/trust-mark. 404 unless the subordinate is active and may hold it. */
export const trustMark = operation(issueTrustMarkEndpoint, issueTrustMark)
/** GET /federation/trust-mark-status. */
export const trustMarkActivity = operation(checkTrustMarkEndpoint, checkTrustMark)
/** POST /federation/trust-mark-status. 404 for a mark that was never issued. */
export const trustMarkStatus = operation(readTrustMarkStatusEndpoint, readTrustMarkStatus)
/** POST /federation/trust-mark/revoke. 404 for a mark that was never issued. */
export const trustMarkRevocation = operation(revokeTrustMarkEndpoint, revokeTrustMark)
/** GET /federation/resolve. */
export const resolvedEntity = operation(resolveEntityEndpoint, resolveEntity)
/** GET /federation/merchant-keys. 404 for a merchant that no entity vouches for. */
export const merchantKeys = operation(readMerchantKeysEndpoint, readMerchantKeys)
