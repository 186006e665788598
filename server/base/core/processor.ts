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
  /** The card was charged with this amount, which the caller must compare with the amount of the settlement. */
  | { readonly status: 'succeeded'; readonly amountMinor: number; readonly currency: string }
  /** No money moved, and none can move without another confirmation. */
  | { readonly status: 'failed'; readonly code: string }
  /** The bank requires a challenge: nothing happens until the cardholder completes it, which is still possible. */
  | { readonly status: 'requires_action' }
  /** The charge is not decided yet, or the processor did not tell its state. */
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
  /** The settlement for which it was created; null when this service did not create it. */
  readonly settlementId: string | null
  readonly outcome: PaymentOutcome
  /** The secret with which the cardholder's browser answers the bank's challenge. */
  readonly clientSecret: string
}

export interface ProcessorDispute {
  readonly id: string
  readonly paymentIntentId: string
  /** The processor's own name of the status, for instance `needs_response`. */
  readonly status: string
}

/** The processor could not be reached or did not answer in time: whether the request had an effect is unknown. */
export class ProcessorUnreachable extends Error {
  override readonly name = 'ProcessorUnreachable'
}

/** The processor refused the request, or failed at it, for good: it moved no money, and a retry cannot succeed. */
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

/** The processor. Every method may throw `ProcessorUnreachable`, and those that change something `ProcessorRefused`. */
export interface Processor {
  readonly kind: 'sandbox' | 'stripe'
  readonly publishableKey: string | null
  /** Creates a customer; `replaced` is the person's former one, which the processor does not know any more. */
  createCustomer(principalId: string, replaced?: string): Promise<string>
  createSetupIntent(request: { principalId: string; customerId: string; idempotencyKey: string }): Promise<SetupIntent>
  retrieveSetupIntent(id: string): Promise<SetupIntent | null>
  /** Detaches a card, so that it cannot be charged again; does nothing for an unknown one. */
  detachCard(paymentMethodId: string): Promise<void>
  /** Deletes a customer with all that the processor has saved for them; does nothing for an unknown one. */
  deleteCustomer(customerId: string): Promise<void>
  /** Creates the intent without moving money; idempotent on the settlement's id. */
  createPaymentIntent(request: PaymentIntentRequest): Promise<{ id: string }>
  /** Moves the money; idempotent on the settlement's id. */
  confirmPaymentIntent(id: string, settlementId: string): Promise<PaymentOutcome>
  retrievePaymentIntent(id: string): Promise<PaymentIntent | null>
  /** Returns the intent that was created for a settlement; null when the processor has none. */
  findPaymentIntent(settlement: {
    settlementId: string
    customerId: string
    createdAfter: Date
  }): Promise<PaymentIntent | null>
  /** Cancels the intent. Returns `failed`, or `succeeded` when the charge had already been made. */
  cancelPaymentIntent(id: string): Promise<PaymentOutcome>
  /** Refunds the whole charge; idempotent on the intent. */
  refundPayment(paymentIntentId: string): Promise<void>
  retrieveDispute(id: string): Promise<ProcessorDispute | null>
}
