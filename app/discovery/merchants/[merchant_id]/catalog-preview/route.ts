import { route } from '@/server/http'
import { directoryCatalogPreview } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(directoryCatalogPreview)
