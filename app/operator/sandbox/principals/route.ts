import { route } from '@/server/http'
import { createSandboxPrincipal } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createSandboxPrincipal)
