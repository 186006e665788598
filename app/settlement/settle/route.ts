import { settleOwnMandate } from '@/server/money/settlement'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(settleOwnMandate)
