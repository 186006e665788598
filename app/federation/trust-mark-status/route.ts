import { trustMarkActivity, trustMarkStatus } from '@/server/credentials/federation'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(trustMarkActivity, trustMarkStatus)
