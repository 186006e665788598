import { route } from '@/server/http'
import { listSwitches } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listSwitches)
