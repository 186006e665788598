import { route } from '@/server/http'
import { pushAuthorizationRequest } from '@/server/par'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(pushAuthorizationRequest)
