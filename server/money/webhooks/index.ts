import { operation } from '../../base/contract/endpoint'
import { receiveWebhookEndpoint } from './contract'
import { receiveWebhook } from './receive-webhook'

/**
 * POST /webhooks/stripe. 503 when switched off or without secret, 400 for a missing or bad signature; 502 and 503 ask
 * the processor to send the event again.
 */
export const receiveProcessorWebhook = operation(receiveWebhookEndpoint, receiveWebhook)
