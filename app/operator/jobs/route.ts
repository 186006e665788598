import { route } from '@/server/http'
import { listJobs } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listJobs)
