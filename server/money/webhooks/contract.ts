import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'

const WEBHOOK_MAX_BYTES = 262_144

export const receiveWebhookEndpoint = defineEndpoint({
  operationId: 'receiveProcessorWebhook',
  method: 'POST',
  path: '/webhooks/stripe',
  summary: 'Receive a signed event of the card processor',
  tag: 'Webhooks',
  access: { actor: 'anonymous' },
  headers: ['processor-signature', 'stripe-signature'],
  body: { kind: 'raw', maxBytes: WEBHOOK_MAX_BYTES },
  output: z
    .object({ received: z.literal(true), event_id: z.string(), duplicate: z.literal(true).optional() })
    .meta({ id: 'WebhookReceipt' }),
  switch: 'processor_webhook',
  refusal: 'oauth',
  refusals: ['invalid_signature', 'invalid_request', 'bad_gateway', 'service_unavailable'],
})

/** The members of an event that are read; the processor sends many more. */
export const processorEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})
export type ProcessorEvent = z.output<typeof processorEvent>
