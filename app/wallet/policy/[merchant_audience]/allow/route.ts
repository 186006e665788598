import { route } from '@/server/http'
import { allowAgentAtMerchant } from '@/server/policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(allowAgentAtMerchant)
