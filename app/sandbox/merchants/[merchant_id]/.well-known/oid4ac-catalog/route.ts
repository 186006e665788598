import { route } from '@/server/http'
import { sandboxCatalog } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxCatalog)
