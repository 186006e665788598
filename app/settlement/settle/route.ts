import { route } from '@/server/http'
import { settleOwnMandate } from '@/server/settlement'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(settleOwnMandate)
