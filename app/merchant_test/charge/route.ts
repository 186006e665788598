import { route } from '@/server/http'
import { testCharge } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(testCharge)
