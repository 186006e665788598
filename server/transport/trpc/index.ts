export { answerActivityJson, answerPaymentsCsv } from './answer-download'
export { answerPortalRequest } from './answer-request'
