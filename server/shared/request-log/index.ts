export { noteRequest, readRequestLog } from './request-log'
