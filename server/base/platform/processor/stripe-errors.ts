import { Stripe } from 'stripe'
import { ProcessorRefused, ProcessorUnreachable } from '../../core/processor'

/** Whether Stripe refused the request itself: unknown objects, wrong parameters, objects in another state. */
export function isRefusal(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

export function isMissing(error: unknown): boolean {
  return isRefusal(error) && error.code === 'resource_missing'
}

/** Whether an answer is repeated from an earlier request with the same idempotency key and may be outdated. */
export function isReplayed(headers: Readonly<Record<string, unknown>> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}

/** Whether Stripe repeats a saved internal error: the key will only get it again; the objects show what was done. */
export function isSavedFault(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && isReplayed(error.headers)
}

/**
 * Translates an error of the SDK to one of the port. `ProcessorUnreachable`, when the effect is unknown: a lost
 * connection, an internal error of Stripe, a rate limit, an idempotency key in use or used otherwise; also an invalid
 * API key, since an operator's mistake must not fail payments. Errors that are not Stripe's are returned as they are.
 */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  if (error.type === 'StripeInvalidRequestError') {
    return new ProcessorRefused(error.code || 'invalid_request', { cause: error })
  }
  if (error.type === 'StripeCardError') {
    return new ProcessorRefused(reasonOf(error.code, error.decline_code), { cause: error })
  }
  // Without the error as cause, because its message quotes part of a refused API key.
  const facts = [error.type, error.statusCode, error.code, error.requestId].filter((fact) => fact !== undefined)
  return new ProcessorUnreachable(`Stripe gave no answer to rely on: ${facts.join(', ')}`)
}

/** Returns why a charge failed: the bank's own reason if it says more than "declined". */
export function reasonOf(code: string | null | undefined, declineCode: string | null | undefined): string {
  const isVague = !declineCode || declineCode === 'generic_decline'
  if (code === 'card_declined' && !isVague) return declineCode
  return code || declineCode || 'card_declined'
}
