import { route } from '@/server/http'
import { rotateSigningKeys } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(rotateSigningKeys)
