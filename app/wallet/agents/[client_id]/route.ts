import { readAgent } from '@/server/agents'
import { route } from '@/server/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readAgent)
