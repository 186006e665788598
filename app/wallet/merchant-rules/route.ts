import { route } from '@/server/http'
import { readMerchantRules, saveMerchantRule } from '@/server/policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readMerchantRules, saveMerchantRule)
