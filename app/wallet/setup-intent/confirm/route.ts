import { route } from '@/server/transport/http'
import { confirmSetupIntent } from '@/server/wallet/cards'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(confirmSetupIntent)
