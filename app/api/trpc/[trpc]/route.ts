import { answerPortalRequest } from '@/server/transport/trpc'

export {
  answerPortalRequest as DELETE,
  answerPortalRequest as GET,
  answerPortalRequest as HEAD,
  answerPortalRequest as OPTIONS,
  answerPortalRequest as PATCH,
  answerPortalRequest as POST,
  answerPortalRequest as PUT,
}
