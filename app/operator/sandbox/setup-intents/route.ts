import { route } from '@/server/http'
import { confirmSandboxSetupIntent } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(confirmSandboxSetupIntent)
