import { route } from '@/server/transport/http'
import { readMerchantRules, saveMerchantRule } from '@/server/wallet/merchant-rules'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readMerchantRules, saveMerchantRule)
