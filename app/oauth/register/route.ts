import { registerClient } from '@/server/clients'
import { route } from '@/server/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(registerClient)
