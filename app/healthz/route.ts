import { liveness } from '@/server/surfaces/health'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(liveness)
