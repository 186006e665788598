import { readEvidenceAsOperator } from '@/server/surfaces/evidence'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readEvidenceAsOperator)
