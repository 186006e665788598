import { erase } from '@/server/surfaces/privacy'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(erase)
