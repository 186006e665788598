import { route } from '@/server/http'
import { sandboxSettlementReport } from '@/server/sandbox'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sandboxSettlementReport)
