import { route } from '@/server/transport/http'
import { allowAgentAtMerchant } from '@/server/wallet/merchant-rules'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(allowAgentAtMerchant)
