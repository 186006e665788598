import { answerPaymentsCsv } from '@/server/transport/trpc'

export {
  answerPaymentsCsv as DELETE,
  answerPaymentsCsv as GET,
  answerPaymentsCsv as HEAD,
  answerPaymentsCsv as OPTIONS,
  answerPaymentsCsv as PATCH,
  answerPaymentsCsv as POST,
  answerPaymentsCsv as PUT,
}
