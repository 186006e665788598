import { operation } from '../../base/contract/endpoint'
import { createRequest } from './create-request'
import * as certificates from './manage-relying-party'
import { readResult } from './read-result'
import {
  deleteRelyingPartyEndpoint,
  readRelyingPartyEndpoint,
  saveRelyingPartyEndpoint,
} from './relying-party-contract'
import {
  createPresentationRequestEndpoint,
  readPresentationResultEndpoint,
  serveRequestObjectEndpoint,
  takeWalletResponseEndpoint,
} from './request-contract'
import { serveRequestObject as serveRequestObjectVerb } from './serve-request-object'
import { takeResponse } from './take-response'
import { verify } from './verify'
import { verifyEndpoint } from './verify-contract'

export { ageQuery } from './age-query'
export { canApproveByWallet, createApprovalRequest } from './approval-request'
export { createPersonsRequest, readPersonsRequest } from './persons-request'
export { isRelyingParty } from './relying-party'
export { sealedRelyingPartyKey } from './relying-party-store'
export {
  eraseAskedRequests,
  sealedPresentationOutcomes,
  sealedPresentationRequests,
  sweepPresentationRequests,
} from './request-store'
export { readStoredPresentations } from './stored-data'
export { withdrawEveryRequest, withdrawPersonsRequest } from './withdraw-request'

/** POST /eudiw/verify. 400 or 403 for an invalid presentation; 503 when a status list cannot be read. */
export const verifyPresentation = operation(verifyEndpoint, verify)

/** POST /eudiw/request. 400 for an unknown region, 503 without an access certificate. */
export const createPresentationRequest = operation(createPresentationRequestEndpoint, createRequest)
/** POST /eudiw/request/{request_id}. 404 once it is answered or expired. */
export const serveRequestObject = operation(serveRequestObjectEndpoint, serveRequestObjectVerb)
/** POST /eudiw/response/{request_id}. 400 and 403 as by POST /eudiw/verify; 404 once another response was taken. */
export const takeWalletResponse = operation(takeWalletResponseEndpoint, takeResponse)
/** GET /eudiw/response/{request_id}. 404 for another wallet client's request, and a day after the end. */
export const readPresentationResult = operation(readPresentationResultEndpoint, readResult)

/** PUT /operator/relying-party. 422 unless chain and key belong together and are valid now. */
export const saveRelyingParty = operation(saveRelyingPartyEndpoint, certificates.saveRelyingParty)
/** GET /operator/relying-party. */
export const readRelyingParty = operation(readRelyingPartyEndpoint, certificates.readRelyingParty)
/** DELETE /operator/relying-party. */
export const deleteRelyingParty = operation(deleteRelyingPartyEndpoint, certificates.deleteRelyingParty)
