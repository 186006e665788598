export { answerActivityJson, answerEvidenceJson, answerPaymentsCsv } from './answer-download'
export { answerPortalRequest } from './answer-request'
