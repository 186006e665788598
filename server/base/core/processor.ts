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
  /** The card was charged, with this amount, which has to be compared with what was ordered. */
  | { readonly status: 'succeeded'; readonly amountMinor: number; readonly currency: string }
  /** No money moved, and none will without another confirmation. */
  | { readonly status: 'failed'; readonly code: string }
  /** The bank wants the cardholder: nothing happens until they have answered it, and they may still answer. */
  | { readonly status: 'requires_action' }
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

/** A payment intent as the processor keeps it. */
export interface PaymentIntent {
  readonly id: string
  /** What it was created for; null when it is none of ours. */
  readonly settlementId: string | null
  readonly outcome: PaymentOutcome
  /** With it the cardholder's browser answers their bank. */
  readonly clientSecret: string
}

export interface ProcessorDispute {
  readonly id: string
  readonly paymentIntentId: string
  /** The processor's word, for instance `needs_response`. */
  readonly status: string
}

/** A processor that could not be reached or did not answer in time: nothing is known about the effect. */
export class ProcessorUnreachable extends Error {
  override readonly name = 'ProcessorUnreachable'
}

/** The processor refused the request itself, or failed at it, for good: it moved no money, and repeating it is no use. */
export class ProcessorRefused extends Error {
  override readonly name = 'ProcessorRefused'
  constructor(
    /** The processor's reason, for instance `resource_missing`; `processor_error` where it failed. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`The processor refused the request: ${code}`, options)
  }
}

/** Every method may throw `ProcessorUnreachable`, and those that change something `ProcessorRefused`. */
export interface Processor {
  readonly kind: 'sandbox' | 'stripe'
  readonly publishableKey: string | null
  /** `replaced` is the person's customer of before, which the processor does not know any more. */
  createCustomer(principalId: string, replaced?: string): Promise<string>
  createSetupIntent(request: { principalId: string; customerId: string; idempotencyKey: string }): Promise<SetupIntent>
  retrieveSetupIntent(id: string): Promise<SetupIntent | null>
  /** Forgets a card, so that it cannot be charged again; one that is unknown already is fine. */
  detachCard(paymentMethodId: string): Promise<void>
  /** Deletes a customer with all that the processor has saved for them; one that is unknown already is fine. */
  deleteCustomer(customerId: string): Promise<void>
  /** Creates the intent without moving money; idempotent on the settlement's id. */
  createPaymentIntent(request: PaymentIntentRequest): Promise<{ id: string }>
  /** Moves the money; idempotent on the settlement's id. */
  confirmPaymentIntent(id: string, settlementId: string): Promise<PaymentOutcome>
  retrievePaymentIntent(id: string): Promise<PaymentIntent | null>
  /** The intent that was created for a settlement, if the processor has one. */
  findPaymentIntent(settlement: {
    settlementId: string
    customerId: string
    createdAfter: Date
  }): Promise<PaymentIntent | null>
  /** Cancels the intent. Returns `failed`, or `succeeded` when the charge had already been made. */
  cancelPaymentIntent(id: string): Promise<PaymentOutcome>
  /** Gives the whole charge back; once per intent, however often it is asked. */
  refundPayment(paymentIntentId: string): Promise<void>
  retrieveDispute(id: string): Promise<ProcessorDispute | null>
}
