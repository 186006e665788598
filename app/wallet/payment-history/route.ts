import { readWalletPaymentHistory } from '@/server/money/payments'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readWalletPaymentHistory)
