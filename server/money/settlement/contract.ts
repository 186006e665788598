import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { currencyCode, idempotencyKey, identifier, minorUnits, timestamp } from '../../base/contract/wire'
import { MAX_AMOUNT_MINOR } from '../../base/core/money'
import { PRESENTATION_MAX_BYTES } from '../../base/protocol/lifetimes'

export const settleBody = z
  .object({
    mandate: z
      .string()
      .min(1)
      .max(PRESENTATION_MAX_BYTES)
      .meta({ description: 'The mandate, with or without key binding.' }),
    idempotency_key: idempotencyKey,
    connected_account_id: identifier(255).nullable().optional().meta({
      description: "The merchant's registered account, which is paid also when this is absent.",
    }),
    application_fee_minor: minorUnits.min(0).max(MAX_AMOUNT_MINOR).default(0).meta({
      description: "At most the merchant's max_application_fee_bps of the amount.",
    }),
  })
  .meta({ id: 'SettleRequest' })

export const settledBody = z
  .object({
    settlement_id: z.string(),
    status: z.literal('succeeded'),
    mandate_id: z.string(),
    payment_intent_id: z.string(),
    amount_minor: minorUnits,
    currency: currencyCode,
    merchant_audience: z.string(),
    application_fee_minor: minorUnits,
    connected_account_id: z.string().nullable(),
    settled_at: timestamp,
    receipt_jws: z.string().meta({ description: 'JWS of type payment-receipt+jwt; verifies against the JWKS.' }),
  })
  .meta({ id: 'Settlement' })

export const settleEndpoint = defineEndpoint({
  operationId: 'settle',
  method: 'POST',
  path: '/settlement/settle',
  summary: "Charge the person's card for a mandate, exactly once",
  tag: 'Settlement',
  access: { actor: 'agent', scope: 'payment:execute' },
  body: { kind: 'json', schema: settleBody, maxBytes: 131_072 },
  output: settledBody,
  switch: 'settlement',
  refusal: 'validation',
  refusals: [
    'payment_declined',
    'access_denied',
    'card_required',
    'forbidden',
    'limit_exceeded',
    'limit_currency_mismatch',
    'step_up_required',
    'idempotency_conflict',
    'idempotency_in_flight',
    'mandate_consumed',
    'bad_gateway',
  ],
  statusOf: { access_denied: 403 },
})
