import { sandboxCards } from '@/server/surfaces/sandbox'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxCards)
