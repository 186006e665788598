import { route } from '@/server/http'
import { createSandboxSetupToken } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createSandboxSetupToken)
