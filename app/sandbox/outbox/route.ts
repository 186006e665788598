import { route } from '@/server/http'
import { sandboxOutbox } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxOutbox)
