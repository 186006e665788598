import { announceChange } from '../../base/core/announce-change'
import { failpoint } from '../../base/core/failpoints'
import { invariant } from '../../base/core/invariant'
import type { Platform, Transaction } from '../../base/core/platform'
import { afterSettled, type PreparedOutcome } from './after-settled'
import { type FinalOutcome, moveOf, renderFailure, renderSuccess } from './answers'
import { type Mover, mayMove } from './states'
import { findSettlement, type SettlementDetails, type SettlementStatus, writeOutcome } from './store'

/** A settlement and who moves it. */
export interface Handling {
  readonly platform: Platform
  readonly mover: Mover
  readonly settlement: SettlementDetails
}

/** Signs and renders what an outcome needs. Whether it is still wanted shows when it is applied. */
export async function prepareOutcome(
  { platform, settlement }: Handling,
  outcome: FinalOutcome,
): Promise<PreparedOutcome> {
  const settledAt = platform.clock.now()
  if (outcome.status === 'failed') {
    const response = renderFailure(settlement.id, outcome.code)
    return { settlement, outcome, settledAt, response, receiptJws: null }
  }
  const { body, receiptJws } = await renderSuccess(platform, settlement, {
    paymentIntentId: outcome.paymentIntentId,
    settledAt,
  })
  return { settlement, outcome, settledAt, response: body, receiptJws }
}

/**
 * Writes an outcome with its counters and all that follows it, unless the settlement has one already or the payment
 * intent is not its own; of several callers with the same news one writes. Returns whether this one did.
 */
export async function applyOutcome(
  tx: Transaction,
  { platform, mover }: Handling,
  prepared: PreparedOutcome,
): Promise<boolean> {
  const { settlement, outcome, settledAt, response, receiptJws } = prepared
  const move = moveOf(outcome)
  invariant(mayMove(mover, move), `${mover} may ${move} a settlement`)
  const written = await writeOutcome(tx, {
    id: settlement.id,
    move,
    paymentIntentId: outcome.paymentIntentId,
    failureCode: outcome.status === 'failed' ? outcome.code : null,
    response,
    settledAt,
    receiptJws,
  })
  if (!written) return false
  for (const follow of afterSettled) await follow(tx, platform, prepared)
  return true
}

/**
 * Gives a settlement its outcome, in a transaction of its own, and returns its status then. An outcome that was written
 * before stays, and so does its answer.
 */
export async function finaliseSettlement(handling: Handling, outcome: FinalOutcome): Promise<SettlementStatus | null> {
  const { platform, settlement } = handling
  const prepared = await prepareOutcome(handling, outcome)
  const written = await platform.db.transaction(async (tx) => {
    const isFirst = await applyOutcome(tx, handling, prepared)
    await failpoint('settle.before_outcome_commit')
    return isFirst
  })
  await failpoint('settle.after_outcome_commit')
  if (!written) return findSettlement(platform.db, settlement.id)
  await announceChange(platform, settlement.principal_id)
  return { id: settlement.id, state: outcome.status, response: prepared.response, action_until: null }
}
