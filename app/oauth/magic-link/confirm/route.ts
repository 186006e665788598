import { confirmLink } from '@/server/oauth/authorization'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(confirmLink)
