import { readRetention } from '@/server/surfaces/operator'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readRetention)
