import { route } from '@/server/http'
import { moveSandboxDispute } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(moveSandboxDispute)
