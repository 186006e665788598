import { operation } from '../contract/endpoint'
import { pushAuthorizationRequestEndpoint, readPushedRequestStatusEndpoint } from './contract'
import { pushRequest, readRequestStatus } from './push-request'

export const pushAuthorizationRequest = operation(pushAuthorizationRequestEndpoint, pushRequest)
export const readPushedRequestStatus = operation(readPushedRequestStatusEndpoint, readRequestStatus)
