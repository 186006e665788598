import { route } from '@/server/http'
import { mandateTypeMetadata } from '@/server/metadata'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(mandateTypeMetadata)
