import { route } from '@/server/http'
import { description } from '@/server/operations'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(description.docsAsset)
