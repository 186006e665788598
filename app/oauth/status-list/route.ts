import { route } from '@/server/http'
import { statusLists } from '@/server/status-list'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(statusLists)
