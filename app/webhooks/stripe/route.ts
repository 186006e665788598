import { route } from '@/server/http'
import { receiveProcessorWebhook } from '@/server/webhooks'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(receiveProcessorWebhook)
