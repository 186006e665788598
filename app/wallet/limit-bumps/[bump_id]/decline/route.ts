import { route } from '@/server/transport/http'
import { declineLimitBump } from '@/server/wallet/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(declineLimitBump)
