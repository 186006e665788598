export { answerPortalRequest } from './answer-request'
