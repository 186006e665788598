import { route } from '@/server/http'
import { approveLimitBump } from '@/server/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(approveLimitBump)
