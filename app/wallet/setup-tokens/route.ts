import { createSetupToken } from '@/server/oauth/clients'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createSetupToken)
