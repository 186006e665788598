import { confirmLink } from '@/server/authorization'
import { route } from '@/server/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(confirmLink)
