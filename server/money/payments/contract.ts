import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { currencyCode, instant, minorUnits, timestamp } from '../../base/contract/wire'

export { parsePeriod, spendingParts } from './input'

export const PAYMENT_HISTORY_DEFAULT_LIMIT = 50
const PAYMENT_HISTORY_MAX_LIMIT = 100

export const paymentStatuses = ['succeeded', 'disputed_pending', 'disputed_won', 'disputed_lost'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

const limit = z
  .string()
  .regex(/^[0-9]{1,9}$/, { error: 'must be a whole number' })
  .transform(Number)
  .pipe(z.int().min(1).max(PAYMENT_HISTORY_MAX_LIMIT))
  .default(PAYMENT_HISTORY_DEFAULT_LIMIT)
  .meta({
    override: {
      type: 'integer',
      minimum: 1,
      maximum: PAYMENT_HISTORY_MAX_LIMIT,
      default: PAYMENT_HISTORY_DEFAULT_LIMIT,
    },
  })

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .default(true)
  .meta({
    override: ({ jsonSchema }) => {
      delete jsonSchema.enum
      Object.assign(jsonSchema, { type: 'boolean', default: true })
    },
  })

export const paymentRow = z
  .object({
    payment_intent_id: z.string(),
    merchant_audience: z.string(),
    amount_minor: minorUnits,
    currency: currencyCode,
    processed_at_iso: timestamp,
    status: z.enum(paymentStatuses),
    mandate_id: z.string(),
    agent_client_id: z.string(),
    receipt_url: z.string().optional(),
  })
  .meta({ id: 'PaymentRow' })

export const readPaymentHistoryEndpoint = defineEndpoint({
  operationId: 'readPaymentHistory',
  method: 'GET',
  path: '/wallet/payment-history',
  summary: "List the person's payments, newest first",
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'audit:read' },
  query: z.object({
    from_iso: instant.optional(),
    to_iso: instant.optional(),
    include_disputed: flag,
    limit,
  }),
  output: z
    .object({ payments: z.array(paymentRow), total_count: z.int(), has_more: z.boolean() })
    .meta({ id: 'PaymentHistory' }),
  refusal: 'validation',
  quota: { limit: 30, windowSeconds: 60, sliding: true },
})

export const paymentChoice = z.strictObject({ payment_intent_id: z.string().min(1).max(512) })
