import { vcIssuer } from '@/server/oauth/metadata'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(vcIssuer)
