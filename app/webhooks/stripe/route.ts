import { receiveProcessorWebhook } from '@/server/money/webhooks'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(receiveProcessorWebhook)
