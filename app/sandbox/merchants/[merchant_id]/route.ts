import { route } from '@/server/http'
import { sandboxShop } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxShop)
