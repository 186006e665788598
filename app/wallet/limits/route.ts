import { route } from '@/server/http'
import { readLimits, saveLimits } from '@/server/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readLimits, saveLimits)
