import { route } from '@/server/transport/http'
import { readPending } from '@/server/wallet/approvals'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readPending)
