import { route } from '@/server/http'
import { retryJob } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(retryJob)
