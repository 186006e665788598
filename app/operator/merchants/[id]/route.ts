import { route } from '@/server/http'
import { updateMerchant } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateMerchant)
