import { operation } from '../../base/contract/endpoint'
import { deleteTrustListEndpoint, listTrustListsEndpoint, saveTrustListEndpoint } from './contract'
import * as trustLists from './trust-lists'

export { AttestationError } from './attestation-error'
export { isBackedBy } from './authority-keys'
export type { AttestationAlgorithm } from './contract'
export { getIssuerKey, type IssuerKeyHeader } from './get-issuer-key'
export { readForeignStatus } from './read-foreign-status'
export { readRegions, readTrustedIssuers, type TrustedIssuer } from './trusted-issuers'

/** PUT /operator/trust-lists/{region}. 422 for addresses, keys and roots that cannot be used. */
export const saveTrustList = operation(saveTrustListEndpoint, trustLists.saveTrustList)
/** GET /operator/trust-lists. */
export const listTrustLists = operation(listTrustListsEndpoint, trustLists.listTrustLists)
/** DELETE /operator/trust-lists/{region}. 404 for a region that is not configured. */
export const deleteTrustList = operation(deleteTrustListEndpoint, trustLists.deleteTrustList)
