import { route } from '@/server/http'
import { createWalletClient } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createWalletClient)
