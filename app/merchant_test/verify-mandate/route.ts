import { route } from '@/server/http'
import { testVerifyMandate } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(testVerifyMandate)
