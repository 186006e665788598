import { route } from '@/server/http'
import { introspectToken } from '@/server/tokens'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(introspectToken)
