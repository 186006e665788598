import { route } from '@/server/http'
import { saveMerchantGate } from '@/server/policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(saveMerchantGate)
