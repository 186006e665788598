import { readEvidence } from '@/server/surfaces/evidence'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readEvidence)
