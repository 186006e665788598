import { route } from '@/server/http'
import { resetPasskeys } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(resetPasskeys)
