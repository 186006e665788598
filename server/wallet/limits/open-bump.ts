import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { type BumpPurchase, type EarlierBump, insertBump, listEarlierOfAgent, withdrawBumps } from './bump-store'
import { LIMIT_BUMP_TTL_HOURS } from './contract'
import { covers, type Exceeds } from './rules'

/** The most limit requests without a consent that may wait because of one agent. */
const WAITING_BUMPS_PER_AGENT = 3

type BumpCall = Pick<Call, 'platform' | 'now'>

interface BumpAsk extends BumpPurchase {
  readonly exceeds: Exceeds
}

/** Returns when a limit request that is opened or approved now ends. */
export function bumpEnd(now: Date): Date {
  return new Date(now.getTime() + LIMIT_BUMP_TTL_HOURS * 3_600_000)
}

/**
 * Opens the limit request of a consent, which is decided and ends with it. Returns its id. The caller holds the person's
 * lock.
 */
export async function openBumpOfConsent(
  tx: Transaction,
  { platform, now }: BumpCall,
  { consentId, expiresAt, ...ask }: BumpAsk & { readonly consentId: string; readonly expiresAt: Date },
): Promise<string> {
  const id = platform.random.uuid()
  await insertBump(tx, { ...ask, id, mandateId: null, consentId, now, expiresAt })
  return id
}

/**
 * Opens a limit request without a consent, valid for 24 h, for an agent whose payment exceeded limits at settlement. An
 * agent that keeps trying asks the person once: a waiting one whose approval would cover this payment too is reused, and
 * one that the person declined is the answer until its 24 h end. One that waits for the same purchase, but whose
 * approval would not suffice, is withdrawn. When the maximum already waits, none is opened and the newest is returned.
 * The caller holds the person's lock.
 */
export async function openBumpOfSettlement(
  tx: Transaction,
  { platform, now }: BumpCall,
  { mandateId, ...ask }: BumpAsk & { readonly mandateId: string },
): Promise<{ id: string; opened: boolean }> {
  const earlier = await listEarlierOfAgent(tx, ask, now)
  const waiting = earlier.filter(({ status }) => status === 'pending')
  const enough = waiting.find((bump) => bump.covers_purchase && covers(bump, ask.exceeds))
  const declined = earlier.find((bump) => bump.status === 'declined' && isAnswer(bump, ask.exceeds))
  const known = enough ?? declined
  if (known !== undefined) return { id: known.id, opened: false }
  const outdated = waiting.filter((bump) => bump.same_purchase).map(({ id }) => id)
  const [newest] = waiting
  if (newest !== undefined && waiting.length - outdated.length >= WAITING_BUMPS_PER_AGENT) {
    return { id: newest.id, opened: false }
  }
  await withdrawBumps(tx, outdated, now)
  const id = platform.random.uuid()
  await insertBump(tx, { ...ask, id, mandateId, consentId: null, now, expiresAt: bumpEnd(now) })
  return { id, opened: true }
}

/** Whether a declined limit request was about the purchase, or a dearer one of the same items, and about these limits. */
function isAnswer({ covers_purchase: isForPurchase, exceeds }: EarlierBump, exceeded: Exceeds): boolean {
  return (
    isForPurchase &&
    exceeded.every(({ kind, scope }) => exceeds.some((one) => one.kind === kind && one.scope === scope))
  )
}
