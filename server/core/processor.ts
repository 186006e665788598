/** The card processor as a port, in the words of payment intents. Amounts are integers in minor units. */

export interface CardOnFile {
  readonly paymentMethodId: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

export interface SetupIntent {
  readonly id: string
  readonly clientSecret: string
  readonly status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  readonly customerId: string
  readonly principalId: string | null
  readonly card: CardOnFile | null
}

export type PaymentOutcome =
  | { readonly status: 'succeeded' }
  | { readonly status: 'failed'; readonly code: string }
  /** Not decided yet, or the processor could not say. */
  | { readonly status: 'unknown' }

export interface PaymentIntentRequest {
  readonly settlementId: string
  readonly amountMinor: number
  readonly currency: string
  readonly customerId: string
  readonly paymentMethodId: string
  readonly connectedAccountId: string | null
  readonly applicationFeeMinor: number
}

/** A processor that could not be reached or did not answer in time: nothing is known about the effect. */
export class ProcessorUnreachable extends Error {
  override readonly name = 'ProcessorUnreachable'
}

export interface Processor {
  readonly kind: 'sandbox' | 'stripe'
  readonly publishableKey: string | null
  createCustomer(principalId: string): Promise<string>
  createSetupIntent(request: { principalId: string; customerId: string; idempotencyKey: string }): Promise<SetupIntent>
  retrieveSetupIntent(id: string): Promise<SetupIntent | null>
  /** Creates the intent without moving money; idempotent on the settlement's id. */
  createPaymentIntent(request: PaymentIntentRequest): Promise<{ id: string }>
  /** Moves the money; idempotent on the settlement's id. */
  confirmPaymentIntent(id: string, settlementId: string): Promise<PaymentOutcome>
  retrievePaymentIntent(id: string): Promise<{ outcome: PaymentOutcome; settlementId: string | null } | null>
  /** The intent that was created for a settlement, if the processor has one. */
  findPaymentIntent(settlementId: string): Promise<{ id: string } | null>
}
