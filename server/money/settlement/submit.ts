import { announceChange } from '../../base/core/announce-change'
import { failpoint } from '../../base/core/failpoints'
import { invariant } from '../../base/core/invariant'
import { ProcessorRefused } from '../../base/core/processor'
import { askCardholder } from './ask-cardholder'
import { mayAgentPay } from './authority-store'
import { FREEZE_WAIT_MILLISECONDS } from './bounds'
import { finaliseSettlement, type SettlementContext } from './finalise'
import { closeIntent, recordOutcome } from './intent-effect'
import { mayMove } from './states'
import { enterSubmission, findSettlement, type SettlementStatus } from './store'

/**
 * Creates the payment intent, stores its handle, and only then moves the money, so that after a crash at any point the
 * processor can be asked. Returns the settlement when it has its outcome or waits for the cardholder, and null while
 * the outcome is unknown. Safe to run again for the same settlement: the processor knows both steps by the settlement's
 * id. Once `abandoned` is aborted no money is moved: that is left to the resolver, which looks first.
 */
export async function submitSettlement(
  context: SettlementContext,
  abandoned: AbortSignal,
): Promise<SettlementStatus | null> {
  const { platform, mover, settlement } = context
  await failpoint('settle.before_pi_create')
  const intent = await createIntent(context)
  if ('refusedFor' in intent) {
    return finaliseSettlement(context, {
      status: 'failed',
      code: intent.refusedFor,
      paymentIntentId: null,
      neverSubmitted: true,
    })
  }
  await failpoint('settle.after_pi_create')
  if (abandoned.aborted) return null
  invariant(mayMove(mover, 'submit'), `${mover} may submit a settlement`)
  const freezeWaitsSince = new Date(platform.clock.now().getTime() - FREEZE_WAIT_MILLISECONDS)
  const entering = { id: settlement.id, paymentIntentId: intent.id, freezeWaitsSince }
  if (!(await enterSubmission(platform.db, entering))) return withdraw(context)
  return confirmSettlement(context, intent.id)
}

async function createIntent({
  platform,
  settlement,
}: SettlementContext): Promise<{ readonly id: string } | { readonly refusedFor: string }> {
  try {
    return await platform.processor.createPaymentIntent({
      settlementId: settlement.id,
      amountMinor: settlement.amount_minor,
      currency: settlement.currency,
      customerId: settlement.customer_id,
      paymentMethodId: settlement.payment_method_id,
      connectedAccountId: settlement.connected_account_id,
      applicationFeeMinor: settlement.application_fee_minor,
    })
  } catch (cause) {
    if (!(cause instanceof ProcessorRefused)) throw cause
    return { refusedFor: cause.code }
  }
}

/**
 * Moves the money of an intent whose handle is stored, or finds that it has moved. Returns null while the outcome is
 * unknown.
 */
export async function confirmSettlement(
  context: SettlementContext,
  paymentIntentId: string,
): Promise<SettlementStatus | null> {
  await failpoint('settle.before_confirm')
  const outcome = await confirmIntent(context, paymentIntentId)
  await failpoint('settle.after_confirm_before_db')
  if (outcome.status === 'unknown') return null
  if (outcome.status === 'requires_action') return waitForCardholder(context, paymentIntentId)
  return recordOutcome(context, { ...outcome, paymentIntentId })
}

/**
 * Confirms an intent. One that cannot be confirmed is closed, so that it is certain that no money moves; so is one about
 * which the bank asks the cardholder when the agent may not pay any more.
 */
async function confirmIntent({ platform, settlement }: SettlementContext, paymentIntentId: string) {
  try {
    const outcome = await platform.processor.confirmPaymentIntent(paymentIntentId, settlement.id)
    const isWanted = outcome.status !== 'requires_action' || (await mayAgentPay(platform.db, settlement.mandate_id))
    return isWanted ? outcome : await closeIntent(platform, paymentIntentId, 'authorization_withdrawn')
  } catch (cause) {
    if (!(cause instanceof ProcessorRefused)) throw cause
    return closeIntent(platform, paymentIntentId, cause.code)
  }
}

async function waitForCardholder(
  context: SettlementContext,
  paymentIntentId: string,
): Promise<SettlementStatus | null> {
  const { platform, settlement } = context
  const asked = await platform.db.transaction((tx) => askCardholder(tx, context, paymentIntentId))
  if (asked) await announceChange(platform, settlement.principal_id)
  const status = await findSettlement(platform.db, settlement.id)
  const isTold = status !== null && (status.state === 'requires_action' || status.response !== null)
  return isTold ? status : null
}

/** Ends a submission that may not go on: another process has taken the settlement over, or its agent may not pay any more. */
async function withdraw(context: SettlementContext): Promise<SettlementStatus | null> {
  const { platform, settlement } = context
  const status = (await mayAgentPay(platform.db, settlement.mandate_id))
    ? await findSettlement(platform.db, settlement.id)
    : await finaliseSettlement(context, {
        status: 'failed',
        code: 'authorization_withdrawn',
        paymentIntentId: null,
        neverSubmitted: true,
      })
  return status === null || status.response === null ? null : status
}
