import { route } from '@/server/transport/http'
import { removeCard } from '@/server/wallet/cards'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(removeCard)
