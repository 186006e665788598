import { route } from '@/server/transport/http'
import { readMerchantPolicy } from '@/server/wallet/merchant-rules'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readMerchantPolicy)
