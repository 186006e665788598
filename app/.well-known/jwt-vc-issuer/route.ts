import { route } from '@/server/http'
import { vcIssuer } from '@/server/metadata'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(vcIssuer)
