import { route } from '@/server/http'
import { readAgentLimits, saveAgentLimits } from '@/server/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readAgentLimits, saveAgentLimits)
