import { route } from '@/server/http'
import { createMerchant, listMerchants } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createMerchant, listMerchants)
