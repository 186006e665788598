import { route } from '@/server/http'
import { listLimitBumps } from '@/server/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listLimitBumps)
