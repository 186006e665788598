import { route } from '@/server/http'
import { wellKnownJwks } from '@/server/metadata'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(wellKnownJwks)
