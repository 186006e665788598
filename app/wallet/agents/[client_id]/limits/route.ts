import { route } from '@/server/transport/http'
import { readAgentLimits, saveAgentLimits } from '@/server/wallet/limits'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readAgentLimits, saveAgentLimits)
