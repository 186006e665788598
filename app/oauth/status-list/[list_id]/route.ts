import { statusList } from '@/server/oauth/mandates'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(statusList)
