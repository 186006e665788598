export { forgetRequests, noteRequest, readRequestLog } from './request-log'
