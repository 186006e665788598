import { operation } from '../../base/contract/endpoint'
import { authorize } from './authorize'
import {
  authorizeEndpoint,
  confirmMagicLinkEndpoint,
  pushAuthorizationRequestEndpoint,
  readPushedRequestStatusEndpoint,
} from './contract'
import { confirmMagicLink } from './magic-link'
import { pushRequest } from './push-request'
import { readRequestStatus } from './read-request-status'

export const pushAuthorizationRequest = operation(pushAuthorizationRequestEndpoint, pushRequest)
export const readPushedRequestStatus = operation(readPushedRequestStatusEndpoint, readRequestStatus)
export const authorizeRequest = operation(authorizeEndpoint, authorize)
export const confirmLink = operation(confirmMagicLinkEndpoint, confirmMagicLink)

export { type CodeRow, findCode, redeemCodeSql, sweepAuthorizationCodes } from './code-store'
export {
  endAccessCodes,
  endAccessRequests,
  endMailedRequests,
  endPurchaseLinks,
  endUnaskedCodes,
  endUnaskedRequests,
  eraseCodes,
  eraseRequests,
  isScopeSql,
} from './erase-requests'
export { readMagicLink } from './magic-link'
export { sweepMagicLinks } from './magic-link-store'
export { sweepPushedRequests } from './pushed-request-store'
export { readStoredRequests } from './stored-data'
