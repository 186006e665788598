import { route } from '@/server/http'
import { createPrincipal } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createPrincipal)
