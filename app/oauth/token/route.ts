import { route } from '@/server/http'
import { issueToken } from '@/server/tokens'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(issueToken)
