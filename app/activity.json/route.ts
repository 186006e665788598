import { answerActivityJson } from '@/server/transport/trpc'

export {
  answerActivityJson as DELETE,
  answerActivityJson as GET,
  answerActivityJson as HEAD,
  answerActivityJson as OPTIONS,
  answerActivityJson as PATCH,
  answerActivityJson as POST,
  answerActivityJson as PUT,
}
