import { route } from '@/server/transport/http'
import { readLimits, saveLimits } from '@/server/wallet/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readLimits, saveLimits)
