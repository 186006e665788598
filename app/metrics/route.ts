import { metrics } from '@/server/surfaces/metrics'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(metrics)
