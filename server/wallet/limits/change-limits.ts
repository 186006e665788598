import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { lockPrincipal } from '../../shared/principals'
import { insertLimitChange, type LimitChangeKind, type LimitsOwner } from './change-store'
import { compareLimits, isRaise } from './raise'
import { type Limits, NO_LIMITS } from './rules'
import { findAgentLimits, findLimits, type StoredLimits, updateAgentLimits, updateLimits } from './store'

type Decision = Limits | null

/** A change of limits that the person requests. */
export interface WantedChange {
  readonly clientId: string | null
  readonly kind: LimitChangeKind
  /** The limits after the change, given those under the lock. Null takes the limits away. */
  readonly decide: (tx: Transaction, before: StoredLimits | null) => Promise<Decision> | Decision
}

export interface ChangedLimits {
  /** Null when nothing has changed. */
  readonly changeId: string | null
  readonly limits: StoredLimits | null
  /** Something is stricter now, and nothing looser. */
  readonly lowered: boolean
}

/**
 * Changes limits as a whole and records the change, in one transaction; every settlement that starts after it obeys
 * them. A change that lets more pass happens only after `confirm`, which throws to refuse it.
 */
export async function changeLimits(
  call: WalletCall,
  wanted: WantedChange,
  confirm: () => Promise<unknown>,
): Promise<ChangedLimits> {
  const changed = (await attempt(call, wanted, false)) ?? (await confirmed(call, wanted, confirm))
  await announceChange(call.platform, call.actor.principalId)
  return changed
}

/** Only under the lock is it known whether the change is a raise, and no transaction waits for a person's confirmation. */
async function confirmed(call: WalletCall, wanted: WantedChange, confirm: () => Promise<unknown>) {
  await confirm()
  const changed = await attempt(call, wanted, true)
  invariant(changed !== null, 'a confirmed change is made')
  return changed
}

/** Null when it would let more pass and may not. */
function attempt(call: WalletCall, wanted: WantedChange, mayRaise: boolean): Promise<ChangedLimits | null> {
  const owner = { principalId: call.actor.principalId, clientId: wanted.clientId }
  return call.platform.db.transaction(async (tx) => {
    const before = await lockLimits(tx, owner)
    const after = await wanted.decide(tx, before)
    const raised = isRaise(before ?? NO_LIMITS, after ?? NO_LIMITS)
    if (raised && !mayRaise) return null
    const changeId = await recordLimits(tx, call, { owner, kind: wanted.kind, before, after })
    const differs = compareLimits(before ?? NO_LIMITS, after ?? NO_LIMITS).length > 0
    return { changeId, limits: after === null ? null : { ...after, updatedAt: call.now }, lowered: differs && !raised }
  })
}

/** Locks the limits until the commit, so that they do not change between a payment's judgement and the hold of its money. */
export async function lockLimits(tx: Transaction, owner: LimitsOwner): Promise<StoredLimits | null> {
  await lockPrincipal(tx, owner.principalId)
  if (owner.clientId === null) return findLimits(tx, owner.principalId)
  const limits = await findAgentLimits(tx, { ...owner, clientId: owner.clientId })
  if (limits === 'unknown') throw buildUnknownAgentError()
  return limits
}

interface LimitsToRecord {
  readonly owner: LimitsOwner
  readonly kind: LimitChangeKind
  readonly before: Limits | null
  readonly after: Limits | null
}

/** Replaces locked limits and records the change. Returns the change's id. */
export async function recordLimits(
  tx: Transaction,
  {
    platform,
    actor,
    now,
  }: Pick<WalletCall, 'platform' | 'now'> & { readonly actor: Pick<WalletCall['actor'], 'via' | 'session'> },
  { owner, kind, before, after }: LimitsToRecord,
): Promise<string> {
  const { principalId, clientId } = owner
  const id = platform.random.uuid()
  const sessionHash = actor.session === null ? null : sha256Base64url(actor.session.id)
  await insertLimitChange(tx, principalId, {
    id,
    clientId,
    kind,
    before,
    after,
    via: actor.via,
    sessionHash,
    createdAt: now,
  })
  if (clientId !== null) await updateAgentLimits(tx, { principalId, clientId }, { limits: after, now })
  else await updateLimits(tx, principalId, { limits: after, now })
  return id
}

export function buildUnknownAgentError(): ServiceError {
  return new ServiceError('not_found', 'There is no such agent.')
}
