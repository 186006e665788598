import { revokeToken } from '@/server/surfaces/agents'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(revokeToken)
