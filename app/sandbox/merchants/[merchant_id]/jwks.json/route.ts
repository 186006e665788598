import { route } from '@/server/http'
import { sandboxMerchantJwks } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxMerchantJwks)
