import { announceChange } from '../../base/core/announce-change'
import { batchedFor } from '../../base/core/batching'
import { failpoint } from '../../base/core/failpoints'
import { invariant } from '../../base/core/invariant'
import type { Platform, Transaction } from '../../base/core/platform'
import { lockHeads, recordAudits } from '../../shared/audit'
import { afterSettled, type PreparedOutcome, toRecord } from './after-settled'
import { type FinalOutcome, moveOf, renderFailure, renderSuccess } from './answers'
import { type Mover, mayMove } from './states'
import { findSettlement, type SettlementDetails, type SettlementStatus, writeOutcome } from './store'

/** A settlement and the party that moves it. */
export interface SettlementContext {
  readonly platform: Platform
  readonly mover: Mover
  readonly settlement: SettlementDetails
}

/** Signs and renders what an outcome needs, before it is known whether the outcome can still be written. */
export async function prepareOutcome(
  { platform, settlement }: SettlementContext,
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

/** A settlement with the outcome that is to be written. */
interface OutcomeToWrite {
  readonly context: SettlementContext
  readonly prepared: PreparedOutcome
}

/**
 * Writes an outcome with its counters and all that follows it, unless the settlement has one already or the payment
 * intent is not its own. Returns whether this call wrote it; of several callers with the same outcome only one does.
 */
export async function applyOutcome(
  tx: Transaction,
  context: SettlementContext,
  prepared: PreparedOutcome,
): Promise<boolean> {
  const [written = false] = await applyOutcomes(tx, [{ context, prepared }])
  return written
}

/**
 * Like {@link applyOutcome}, for several settlements: people and agents in the order of their ids, so that two such
 * transactions never deadlock, and then the heads of the audit chains. Statements run in the order in which they are
 * started, all of them in one round trip.
 */
async function applyOutcomes(tx: Transaction, all: readonly OutcomeToWrite[]): Promise<boolean[]> {
  const written = new Set<OutcomeToWrite>()
  const inOrder = all.toSorted((a, b) => compareTexts(payerOf(a), payerOf(b)))
  const writing = inOrder.map(async (one) => {
    if (await writeAndFollow(tx, one)) written.add(one)
  })
  const heads = lockHeads(
    tx,
    all.map(({ prepared: { settlement, settledAt } }) => ({ tenantId: settlement.tenant_id, now: settledAt })),
  )
  await Promise.all([heads, ...writing])
  await recordAudits(
    tx,
    [...written].map(({ prepared }) => toRecord(prepared)),
    heads,
  )
  return all.map((one) => written.has(one))
}

const payerOf = ({ prepared: { settlement } }: OutcomeToWrite) => `${settlement.principal_id} ${settlement.client_id}`
const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

async function writeAndFollow(
  tx: Transaction,
  { context: { platform, mover }, prepared }: OutcomeToWrite,
): Promise<boolean> {
  const { settlement, outcome, settledAt, response, receiptJws } = prepared
  const move = moveOf(outcome)
  invariant(mayMove(mover, move), `${mover} may ${move} a settlement`)
  const writing = writeOutcome(tx, {
    id: settlement.id,
    move,
    paymentIntentId: outcome.paymentIntentId,
    failureCode: outcome.status === 'failed' ? outcome.code : null,
    response,
    settledAt,
    receiptJws,
  })
  const [written, ...following] = await Promise.all([
    writing,
    ...afterSettled.map((prepare) => prepare(tx, platform, prepared)),
  ])
  if (!written) return false
  await Promise.all(following.map((follow) => follow()))
  return true
}

/** The most outcomes that one transaction writes: it locks the audit heads of their tenants for a few milliseconds. */
const WRITTEN_TOGETHER_MAX = 20

const writeTogether = batchedFor<Platform, OutcomeToWrite, boolean>(
  (platform, all) =>
    platform.db.transaction(async (tx) => {
      const written = await applyOutcomes(tx, all)
      await failpoint('settle.before_outcome_commit')
      return written
    }),
  WRITTEN_TOGETHER_MAX,
)

/**
 * Gives a settlement its outcome, in a transaction together with others that arrive at the same time, and returns its
 * status afterwards. An outcome that was written before stays, and so does its answer.
 */
export async function finaliseSettlement(
  context: SettlementContext,
  outcome: FinalOutcome,
): Promise<SettlementStatus | null> {
  const { platform, settlement } = context
  const prepared = await prepareOutcome(context, outcome)
  const written = await writeTogether(platform, { context, prepared })
  await failpoint('settle.after_outcome_commit')
  if (!written) return findSettlement(platform.db, settlement.id)
  await announceChange(platform, settlement.principal_id)
  return { id: settlement.id, state: outcome.status, response: prepared.response, action_until: null }
}
