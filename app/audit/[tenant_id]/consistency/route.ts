import { proveTenantConsistency } from '@/server/shared/audit'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(proveTenantConsistency)
