import * as z from 'zod'

const opaqueObject = z.record(z.string(), z.unknown())
const declineError = z.strictObject({ code: z.string().min(1) })

/** The result of a purchase. Each status has exactly these members. */
export const payResult = z.union([
  z.strictObject({
    status: z.literal('paid'),
    order_id: z.string().min(1),
    receipt: opaqueObject,
    settlement: opaqueObject,
  }),
  z.strictObject({
    status: z.literal('paid'),
    mandate_id: z.string().min(1),
    receipt_jws: z.string().min(1),
    payment_provider_ref: z.string().min(1),
  }),
  z.strictObject({ status: z.literal('step_up_required'), request_uri: z.string().min(1) }),
  z.strictObject({ status: z.literal('setup_required') }),
  z.strictObject({ status: z.literal('declined'), error: declineError }),
])

/** The result of a purchase. */
export type PayResult = z.infer<typeof payResult>

/**
 * {@link payResult} as one flat object, for hosts that do not support unions. Results are checked against the union.
 */
export const payResultListing = z.object({
  status: z.enum(['paid', 'step_up_required', 'setup_required', 'declined']),
  order_id: z.string().optional().describe('paid through merchant_base_api'),
  receipt: opaqueObject.optional().describe("paid through merchant_base_api: the merchant's receipt"),
  settlement: opaqueObject.optional().describe('paid through merchant_base_api: the settlement'),
  mandate_id: z.string().optional().describe('paid through merchant_verify_url'),
  receipt_jws: z.string().optional().describe('paid through merchant_verify_url'),
  payment_provider_ref: z.string().optional().describe('paid through merchant_verify_url'),
  request_uri: z.string().optional().describe('step_up_required: the request that waits for the user'),
  error: declineError.optional().describe('declined: why'),
})

/** A result, with a note for the person where one is needed. */
export interface PayAnswer {
  readonly result: PayResult
  readonly note?: string | undefined
}
