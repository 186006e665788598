import { subordinateStatement } from '@/server/credentials/federation'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(subordinateStatement)
