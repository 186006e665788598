import { answerEvidenceJson } from '@/server/transport/trpc'

export {
  answerEvidenceJson as DELETE,
  answerEvidenceJson as GET,
  answerEvidenceJson as HEAD,
  answerEvidenceJson as OPTIONS,
  answerEvidenceJson as PATCH,
  answerEvidenceJson as POST,
  answerEvidenceJson as PUT,
}
