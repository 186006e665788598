import { route } from '@/server/http'
import { testNonce } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(testNonce)
