import { route } from '@/server/http'
import { sandboxOrder } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxOrder)
