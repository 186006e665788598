import { serveRequestObject } from '@/server/credentials/presentations'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(serveRequestObject)
