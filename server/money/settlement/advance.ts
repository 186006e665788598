import { invariant } from '../../base/core/invariant'
import type { Platform } from '../../base/core/platform'
import type { PaymentIntent } from '../../base/core/processor'
import { finaliseSettlement, type SettlementContext } from './finalise'
import { applyEffect, closeIntent, prepareIntentEffect, recordOutcome } from './intent-effect'
import { type Mover, mayMove } from './states'
import { findSettlement, markUnknown, type SettlementDetails, type SettlementStatus } from './store'
import { confirmSettlement, submitSettlement } from './submit'

/** What is done with a settlement next. */
export type Step =
  /** Charge the card, from the beginning; after `abandoned` no money is moved any more. */
  | { readonly kind: 'submit'; readonly settlement: SettlementDetails; readonly abandoned: AbortSignal }
  /** Charge the card through the intent whose handle is stored. */
  | { readonly kind: 'confirm'; readonly settlement: SettlementDetails; readonly paymentIntentId: string }
  /** Bring the books in line with what the processor says about an intent of the settlement. */
  | { readonly kind: 'reconcile'; readonly settlementId: string; readonly intent: PaymentIntent }
  /** Give the charge up at the processor; `code` is why. */
  | {
      readonly kind: 'close'
      readonly settlement: SettlementDetails
      readonly paymentIntentId: string
      readonly code: string
    }
  /** Give up a settlement that the processor was never told to charge; `code` is why. */
  | { readonly kind: 'release'; readonly settlement: SettlementDetails; readonly code: string }
  /** Leave it to the resolver, which looks at `lookAt`. */
  | { readonly kind: 'defer'; readonly settlementId: string; readonly lookAt: Date }

/**
 * The one way in which request, resolver and cardholder move a settlement. A webhook reconciles too, but in the
 * transaction that consumes its event: see {@link prepareIntentEffect}. Returns the settlement's status after the step, or
 * null while its outcome is unknown.
 * @throws ProcessorUnreachable while the processor does not answer; what was to be learned is then found out later
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

/** Records what the processor says about an intent now, if that is new. */
async function reconcileIntent(platform: Platform, mover: Mover, intent: PaymentIntent): Promise<void> {
  const effect = await prepareIntentEffect(platform, mover, intent)
  if (effect === null || effect === 'undecided') return
  await applyEffect(platform, effect)
}

/** The settlement fails, unless the money had moved already or the processor does not know yet. */
async function closeSettlement(
  context: SettlementContext,
  { paymentIntentId, code }: { readonly paymentIntentId: string; readonly code: string },
): Promise<SettlementStatus | null> {
  const outcome = await closeIntent(context.platform, paymentIntentId, code)
  const isFinal = outcome.status === 'succeeded' || outcome.status === 'failed'
  return isFinal ? recordOutcome(context, outcome) : null
}
