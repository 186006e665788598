import * as z from 'zod'
import { type PaymentIntent, type PaymentOutcome, ProcessorUnreachable, type SetupIntent } from '../../core/processor'
import { fromStripeAmount } from './stripe-amounts'
import { reasonOf } from './stripe-errors'

/*
 * The parts of Stripe's answers that are used. They are checked, because money depends on them, and a proxy, an account
 * on another version or a wrong address may answer otherwise than the SDK's types say.
 */

const metadata = z.record(z.string(), z.string()).nullish()
const idOrObject = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])

const paymentError = z.object({ code: z.string().nullish(), decline_code: z.string().nullish() })

const paymentIntentShape = z.object({
  object: z.literal('payment_intent'),
  id: z.string().min(1),
  status: z.string().min(1),
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  client_secret: z.string().nullable(),
  metadata,
  last_payment_error: paymentError.nullish(),
  application_fee_amount: z.int().nonnegative().nullish(),
  transfer_data: z.object({ destination: idOrObject }).nullish(),
})
export type StripePaymentIntent = z.output<typeof paymentIntentShape>

const cardShape = z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })

const setupIntentShape = z.object({
  object: z.literal('setup_intent'),
  id: z.string().min(1),
  status: z.string().min(1),
  client_secret: z.string().nullable(),
  customer: idOrObject.nullable(),
  metadata,
  payment_method: z.union([z.string(), z.object({ id: z.string(), card: cardShape.nullish() })]).nullable(),
})

const disputeShape = z.object({
  object: z.literal('dispute'),
  id: z.string().min(1),
  status: z.string().min(1),
  payment_intent: idOrObject.nullable(),
})

const refundShape = z.object({ object: z.literal('refund'), status: z.string().nullable() })
const customerShape = z.object({ object: z.literal('customer'), id: z.string().min(1) })

function reader<T>(shape: z.ZodType<T>, name: string): (answer: unknown) => T {
  return (answer) => {
    const read = shape.safeParse(answer)
    if (read.success) return read.data
    throw new ProcessorUnreachable(`Stripe answered something that is no ${name}.`)
  }
}

/** Reads an answer, like the next three; throws `ProcessorUnreachable` when it has another shape. */
export const readPaymentIntent = reader(paymentIntentShape, 'payment intent')
export const readDispute = reader(disputeShape, 'dispute')
export const readRefund = reader(refundShape, 'refund')
export const readCustomer = reader(customerShape, 'customer')
const readSetupIntentShape = reader(setupIntentShape, 'setup intent')

/** Returns the payment intent of an error; null when it has none. */
export function findPaymentIntentIn(value: unknown): StripePaymentIntent | null {
  return paymentIntentShape.safeParse(value).data ?? null
}

/** Returns the outcome of a payment intent. */
export function outcomeOf(intent: StripePaymentIntent): PaymentOutcome {
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded', ...amountOf(intent) }
    case 'canceled':
      return { status: 'failed', code: 'canceled' }
    case 'requires_action':
      return { status: 'requires_action' }
    case 'requires_payment_method':
      return intent.last_payment_error ? failureOf(intent.last_payment_error) : { status: 'unknown' }
    default:
      return { status: 'unknown' }
  }
}

/** Returns the amount in minor units; one that cannot be converted stays as it is, since it matches no settlement. */
function amountOf({ amount, currency: code }: StripePaymentIntent) {
  const currency = code.toUpperCase()
  return { amountMinor: fromStripeAmount(amount, currency) ?? amount, currency }
}

/** Returns the outcome of a failed charge: `requires_action` when the bank only asks for a challenge. */
export function failureOf(error: z.output<typeof paymentError>): PaymentOutcome {
  const wantsCardholder =
    error.code === 'authentication_required' ||
    (error.code === 'card_declined' && error.decline_code === 'authentication_required')
  if (wantsCardholder) return { status: 'requires_action' }
  return { status: 'failed', code: reasonOf(error.code, error.decline_code) }
}

export function toPaymentIntent(intent: StripePaymentIntent): PaymentIntent {
  return {
    id: intent.id,
    settlementId: intent.metadata?.['settlement_id'] ?? null,
    outcome: outcomeOf(intent),
    clientSecret: intent.client_secret ?? '',
  }
}

const setupStatuses: ReadonlyMap<string, SetupIntent['status']> = new Map([
  ['requires_payment_method', 'requires_payment_method'],
  ['requires_confirmation', 'requires_payment_method'],
  ['requires_action', 'requires_action'],
  ['succeeded', 'succeeded'],
  ['canceled', 'canceled'],
])

/** Reads a setup intent, with its card when the answer has the payment method expanded. */
export function readSetupIntent(answer: unknown): SetupIntent {
  const intent = readSetupIntentShape(answer)
  const method = typeof intent.payment_method === 'string' ? null : intent.payment_method
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: setupStatuses.get(intent.status) ?? 'processing',
    customerId: intent.customer ?? '',
    principalId: intent.metadata?.['principal_id'] ?? null,
    card: method?.card
      ? {
          paymentMethodId: method.id,
          brand: method.card.brand,
          last4: method.card.last4,
          expMonth: method.card.exp_month,
          expYear: method.card.exp_year,
        }
      : null,
  }
}
