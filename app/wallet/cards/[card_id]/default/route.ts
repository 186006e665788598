import { makeDefaultCard } from '@/server/cards'
import { route } from '@/server/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(makeDefaultCard)
