import { route } from '@/server/http'
import { readPushedRequestStatus } from '@/server/par'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readPushedRequestStatus)
