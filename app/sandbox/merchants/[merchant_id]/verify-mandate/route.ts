import { route } from '@/server/http'
import { sandboxVerifyMandate } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxVerifyMandate)
