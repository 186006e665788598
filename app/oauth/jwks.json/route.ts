import { route } from '@/server/http'
import { jwks } from '@/server/metadata'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(jwks)
