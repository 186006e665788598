import { route } from '@/server/http'
import { statusList } from '@/server/status-list'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(statusList)
