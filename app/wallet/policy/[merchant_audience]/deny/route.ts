import { route } from '@/server/http'
import { denyAgentAtMerchant } from '@/server/policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(denyAgentAtMerchant)
