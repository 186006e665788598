import { route } from '@/server/http'
import { openSandboxWalletSession } from '@/server/operator'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(openSandboxWalletSession)
