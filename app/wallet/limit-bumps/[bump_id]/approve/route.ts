import { route } from '@/server/transport/http'
import { approveLimitBump } from '@/server/wallet/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(approveLimitBump)
