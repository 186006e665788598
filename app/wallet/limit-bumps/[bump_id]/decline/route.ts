import { route } from '@/server/http'
import { declineLimitBump } from '@/server/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(declineLimitBump)
