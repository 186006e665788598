import { route } from '@/server/transport/http'
import { createSetupIntent } from '@/server/wallet/cards'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createSetupIntent)
