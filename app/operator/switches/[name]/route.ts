import { route } from '@/server/http'
import { setSwitch } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(setSwitch)
