import { route } from '@/server/http'
import { blockSigningKey } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(blockSigningKey)
