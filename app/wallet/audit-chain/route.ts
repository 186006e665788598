import { queryWalletAuditChain } from '@/server/audit'
import { route } from '@/server/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(queryWalletAuditChain)
