import { revokeCredential } from '@/server/credentials/issuance'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(revokeCredential)
