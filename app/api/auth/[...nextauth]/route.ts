import { answerAuthRequest } from '@/server/identity/sessions'

export {
  answerAuthRequest as DELETE,
  answerAuthRequest as GET,
  answerAuthRequest as HEAD,
  answerAuthRequest as OPTIONS,
  answerAuthRequest as PATCH,
  answerAuthRequest as POST,
  answerAuthRequest as PUT,
}
