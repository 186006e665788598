import { route } from '@/server/transport/http'
import { listCards } from '@/server/wallet/cards'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listCards)
