import { route } from '@/server/http'
import { directoryMerchants } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(directoryMerchants)
