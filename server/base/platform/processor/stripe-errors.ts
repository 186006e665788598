import { Stripe } from 'stripe'
import { ProcessorRefused, ProcessorUnreachable } from '../../core/processor'

/** A request that Stripe refused as such: unknown objects, wrong parameters, objects in another state. */
export function isRefusal(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

export function isMissing(error: unknown): boolean {
  return isRefusal(error) && error.code === 'resource_missing'
}

/** The answer was given before, under the same idempotency key: it tells how things were then. */
export function isReplayed(headers: Readonly<Record<string, unknown>> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}

/** A fault of Stripe's that it has saved: its key gets nothing else any more, and what was done shows in the objects alone. */
export function isSavedFault(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && isReplayed(error.headers)
}

/**
 * An error of the SDK in the words of the port. What says nothing about the effect is `ProcessorUnreachable`: a broken
 * line, a fault of Stripe's, a limit, a key that is in use or was used otherwise; so is a key that Stripe does not take,
 * since an operator's mistake must not fail anybody's payment. Anything that is not Stripe's comes back as it is.
 */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  if (error.type === 'StripeInvalidRequestError') {
    return new ProcessorRefused(error.code || 'invalid_request', { cause: error })
  }
  if (error.type === 'StripeCardError') {
    return new ProcessorRefused(reasonOf(error.code, error.decline_code), { cause: error })
  }
  // The message of a refused key quotes part of it, so the error itself stays here.
  const facts = [error.type, error.statusCode, error.code, error.requestId].filter((fact) => fact !== undefined)
  return new ProcessorUnreachable(`Stripe gave no answer to rely on: ${facts.join(', ')}`)
}

/** Why a charge failed: the bank's own reason where there is one that says more than "declined". */
export function reasonOf(code: string | null | undefined, declineCode: string | null | undefined): string {
  const isVague = !declineCode || declineCode === 'generic_decline'
  if (code === 'card_declined' && !isVague) return declineCode
  return code || declineCode || 'card_declined'
}
