import { route } from '@/server/http'
import { receiveRcsCallback } from '@/server/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(receiveRcsCallback)
