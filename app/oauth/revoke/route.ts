import { revokeToken } from '@/server/oauth/tokens'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(revokeToken)
