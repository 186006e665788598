import { invariant } from '../../base/core/invariant'
import type { Platform } from '../../base/core/platform'
import type { PaymentIntent } from '../../base/core/processor'
import { finaliseSettlement, type SettlementContext } from './finalise'
import { applyEffect, closeIntent, prepareIntentEffect, recordOutcome } from './intent-effect'
import { type Mover, mayMove } from './states'
import { findSettlement, markUnknown, type SettlementDetails, type SettlementStatus } from './store'
import { confirmSettlement, submitSettlement } from './submit'

/** The next step of a settlement. */
export type Step =
  /** Charge the card, from the beginning; once `abandoned` is aborted, no money is moved. */
  | { readonly kind: 'submit'; readonly settlement: SettlementDetails; readonly abandoned: AbortSignal }
  /** Charge the card through the intent whose handle is stored. */
  | { readonly kind: 'confirm'; readonly settlement: SettlementDetails; readonly paymentIntentId: string }
  /** Bring the records in line with what the processor says about an intent of the settlement. */
  | { readonly kind: 'reconcile'; readonly settlementId: string; readonly intent: PaymentIntent }
  /** Close the intent at the processor; `code` is the reason. */
  | {
      readonly kind: 'close'
      readonly settlement: SettlementDetails
      readonly paymentIntentId: string
      readonly code: string
    }
  /** Give up a settlement that the processor was never told to charge; `code` is the reason. */
  | { readonly kind: 'release'; readonly settlement: SettlementDetails; readonly code: string }
  /** Leave the settlement to the resolver, which looks at it at `lookAt`. */
  | { readonly kind: 'defer'; readonly settlementId: string; readonly lookAt: Date }

/**
 * Moves a settlement on behalf of the request, the resolver or the cardholder; nothing else does, except a webhook,
 * which reconciles in the transaction that consumes its event (see {@link prepareIntentEffect}). Returns the
 * settlement's status after the step, or null while its outcome is unknown.
 * @throws ProcessorUnreachable while the processor does not answer; the resolver then finds out later
 */
export async function advance(platform: Platform, mover: Mover, step: Step): Promise<SettlementStatus | null> {
  switch (step.kind) {
    case 'submit':
      return submitSettlement({ platform, mover, settlement: step.settlement }, step.abandoned)
    case 'confirm':
      return confirmSettlement({ platform, mover, settlement: step.settlement }, step.paymentIntentId)
    case 'reconcile':
      await reconcileIntent(platform, mover, step.intent)
      return findSettlement(platform.db, step.settlementId)
    case 'close':
      return closeSettlement({ platform, mover, settlement: step.settlement }, step)
    case 'release':
      return finaliseSettlement(
        { platform, mover, settlement: step.settlement },
        { status: 'failed', code: step.code, paymentIntentId: null, neverSubmitted: true },
      )
    case 'defer':
      invariant(mayMove(mover, 'defer'), `${mover} may defer a settlement`)
      await markUnknown(platform.db, step.settlementId, step.lookAt)
      return null
  }
}

/** Records an intent's state, as it was read from the processor, if it is new. */
async function reconcileIntent(platform: Platform, mover: Mover, intent: PaymentIntent): Promise<void> {
  const effect = await prepareIntentEffect(platform, mover, intent)
  if (effect === null || effect === 'undecided') return
  await applyEffect(platform, effect)
}

/** Fails the settlement, unless the money had moved already or the processor does not know yet. */
async function closeSettlement(
  context: SettlementContext,
  { paymentIntentId, code }: { readonly paymentIntentId: string; readonly code: string },
): Promise<SettlementStatus | null> {
  const outcome = await closeIntent(context.platform, paymentIntentId, code)
  const isFinal = outcome.status === 'succeeded' || outcome.status === 'failed'
  return isFinal ? recordOutcome(context, outcome) : null
}
