import { route } from '@/server/http'
import { readMerchantPolicy } from '@/server/policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readMerchantPolicy)
