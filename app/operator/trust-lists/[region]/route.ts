import { deleteTrustList, saveTrustList } from '@/server/credentials/trust-lists'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(saveTrustList, deleteTrustList)
