import { route } from '@/server/http'
import { sandboxMerchantNonce } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxMerchantNonce)
