import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { lockPrincipal } from '../../shared/principals'
import { findWaitingBump, insertBump, type NewBump } from './bump-store'
import { LIMIT_BUMP_TTL_HOURS } from './contract'
import type { Exceeded, ExceededLimit } from './rules'
import { utcDay } from './utc-day'

const HOUR_MILLISECONDS = 3_600_000

export interface BumpAsk {
  readonly principalId: string
  readonly agentClientId: string
  readonly merchantAudience: string
  readonly currency: string
  readonly exceeded: ExceededLimit
  readonly mandateId: string | null
}

type BumpCall = Pick<Call, 'platform' | 'now'>

/**
 * Opens a request to exceed the limits once, valid for 24 h, for a person who is being asked about exactly this payment;
 * the very same request that waits already is reused. Returns its id. When one payment exceeds several limits, the
 * others are opened along and share the decision about the first.
 */
export async function openBump(tx: Transaction, call: BumpCall, ask: BumpAsk): Promise<string> {
  await lockPrincipal(tx, ask.principalId)
  return insertAll(tx, call, ask)
}

/**
 * Opens a request like {@link openBump} for an agent that was refused while its person was not there. A request that waits
 * already for this agent, merchant and limit today is reused, so that an agent that keeps trying asks the person once.
 */
export async function askOnce(tx: Transaction, call: BumpCall, ask: BumpAsk): Promise<{ id: string; opened: boolean }> {
  await lockPrincipal(tx, ask.principalId)
  const waiting = await findWaitingBump(tx, {
    agentClientId: ask.agentClientId,
    merchantAudience: ask.merchantAudience,
    scope: ask.exceeded.scope,
    kind: ask.exceeded.kind,
    current: ask.exceeded.current,
    day: utcDay(call.now),
    now: call.now,
  })
  if (waiting !== null) return { id: waiting, opened: false }
  return { id: await insertAll(tx, call, ask), opened: true }
}

async function insertAll(tx: Transaction, call: BumpCall, ask: BumpAsk): Promise<string> {
  const id = await insertBump(tx, newBump(call, ask, { exceeded: ask.exceeded, openedWith: null }))
  for (const exceeded of ask.exceeded.others) await insertBump(tx, newBump(call, ask, { exceeded, openedWith: id }))
  return id
}

function newBump(
  { platform, now }: BumpCall,
  ask: BumpAsk,
  { exceeded, openedWith }: { exceeded: Exceeded; openedWith: string | null },
): NewBump {
  return {
    id: platform.random.uuid(),
    principalId: ask.principalId,
    scope: exceeded.scope,
    kind: exceeded.kind,
    agentClientId: ask.agentClientId,
    merchantAudience: ask.merchantAudience,
    currency: ask.currency,
    current: exceeded.current,
    requested: exceeded.requested,
    mandateId: ask.mandateId,
    openedWith,
    day: utcDay(now),
    now,
    expiresAt: new Date(now.getTime() + LIMIT_BUMP_TTL_HOURS * HOUR_MILLISECONDS),
  }
}
