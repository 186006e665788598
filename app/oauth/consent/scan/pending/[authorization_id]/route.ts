import { readPending } from '@/server/consent'
import { route } from '@/server/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readPending)
