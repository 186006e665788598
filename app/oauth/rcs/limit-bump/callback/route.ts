import { route } from '@/server/transport/http'
import { receiveRcsCallback } from '@/server/wallet/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(receiveRcsCallback)
