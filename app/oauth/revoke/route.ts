import { route } from '@/server/http'
import { revokeToken } from '@/server/tokens'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(revokeToken)
