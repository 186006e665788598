import { route } from '@/server/http'
import { readWalletPaymentHistory } from '@/server/payments'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readWalletPaymentHistory)
