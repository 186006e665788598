import { isSettlementCode } from '../client/settle.js'
import { clockTime } from '../clock-time.js'
import { Cancelled, CountersignError, isUndecided, Refusal } from '../errors.js'
import type { PurchaseRun } from './run.js'
import type { FlowStep } from './steps.js'

const UNKNOWN_HINT =
  'Whether the card was charged is not known yet. Call this tool again with the same arguments: it goes on with the ' +
  'same payment and never charges twice. The payment history shows whether it was charged.'
const UNANSWERED_HINT =
  'An earlier attempt at this payment had no answer. Look at the payment history before buying again.'
const REFUSED_AFTERWARDS_HINT =
  'An earlier attempt at this payment had no answer, so that the card may have been charged. Look at the payment history. ' +
  'Calling this tool again with the same arguments goes on with the same payment and never charges twice.'

const CHALLENGED_HINT =
  'The bank had asked the user to confirm this payment: if they did, the card was charged. Look at the payment history. ' +
  'Calling this tool again with the same arguments goes on with the same payment and never charges twice.'

/** What is known of the earlier attempts at a charge. */
export interface Attempts {
  /** Whether one may have moved the money, or may still move it. */
  readonly attempted: boolean
  /** Whether each was answered, and the bank waits for the cardholder. */
  readonly challenged?: boolean | undefined
}

/**
 * Ends the purchase after a final refusal; returns the error to report. Any other error leaves the purchase for an
 * identical call, and so does a refusal that is not the server's own, such as a proxy's, while an attempt may have
 * charged.
 */
export async function conclude(run: PurchaseRun, error: unknown, earlier: Attempts): Promise<unknown> {
  if (!(error instanceof Refusal) || error.isTransient || error.asksCardholder) return error
  if (earlier.attempted && !isSettlementCode(error.code)) return unknownOutcome('settle', error)
  await run.slot.remove()
  const wasUnanswered = earlier.attempted && earlier.challenged !== true
  return wasUnanswered ? new CountersignError(error.message, UNANSWERED_HINT) : error
}

/**
 * Returns the error to report after a merchant's failure to charge. After an unanswered attempt the merchant may have
 * charged, even if it refuses later: the purchase and its key stay, since a new one could be charged again. After a
 * challenge of the bank they stay unless the charge was declined.
 */
export async function concludeCharge(run: PurchaseRun, error: unknown, earlier: Attempts): Promise<unknown> {
  const isAnswered = error instanceof Refusal && (error.asksCardholder || error.code === 'payment_declined')
  const mayBeCharged = earlier.attempted && !(earlier.challenged === true && isAnswered)
  return mayBeCharged || isUndecided(error) ? stillUnknown(error, earlier) : conclude(run, error, earlier)
}

/** Returns the error to report after a merchant's failure while an earlier attempt may have charged. */
export function stillUnknown(error: unknown, { challenged }: Attempts): unknown {
  if (isUndecided(error)) return unknownOutcome('verify-mandate', error)
  const hint = challenged === true ? CHALLENGED_HINT : REFUSED_AFTERWARDS_HINT
  return error instanceof Refusal ? new CountersignError(error.message, hint) : error
}

/** Returns the error to report while it is unknown whether the money moved. */
export function unknownOutcome(step: FlowStep, error: unknown): unknown {
  if (error instanceof Cancelled) return error
  return new CountersignError(nameStep(step, error), UNKNOWN_HINT)
}

/** Returns the error to report when a merchant did not answer a request that moves no money. */
export function retryLater(step: FlowStep, error: unknown): unknown {
  if (error instanceof Cancelled || !(error instanceof CountersignError) || !isUndecided(error)) return error
  return new CountersignError(
    nameStep(step, error),
    'Nothing is charged yet. Call this tool again with the same arguments.',
  )
}

/**
 * Returns the error to report when a new purchase cannot begin, because the previous one could not be reported to the
 * merchant.
 */
export function stillUnreported(error: unknown, paidAt: number): unknown {
  if (error instanceof Cancelled) return error
  const failure = error instanceof Refusal ? new Refusal('verify-mandate', error) : error
  return new CountersignError(
    nameStep('verify-mandate', failure),
    `The same order was paid at ${clockTime(paidAt)}, and the merchant could not be told of it yet. Nothing was bought ` +
      'this time. Call this tool again with the same arguments.',
  )
}

function nameStep(step: FlowStep, error: unknown): string {
  const reason = error instanceof CountersignError ? error.message : 'no answer'
  return reason.includes(' failed: ') ? reason : `${step} failed: ${reason}`
}
