import { route } from '@/server/http'
import { serverMetadata } from '@/server/metadata'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(serverMetadata)
