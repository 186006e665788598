import { isDeepStrictEqual } from 'node:util'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { type Means, meansOf, recordPersonAct } from '../../shared/audit'
import { lockPrincipal } from '../../shared/principals'
import { insertLimitChange, type LimitChangeKind, type LimitsOwner } from './change-store'
import { compareLimits, isRaise } from './raise'
import { type Limits, NO_LIMITS } from './rules'
import { findAgentLimits, findLimits, type StoredLimits, updateAgentLimits, updateLimits } from './store'
import { limitsToWire } from './wire-limits'

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
 * them. A change that lets more pass happens only after `confirm`, which throws to refuse it and returns what confirmed it.
 */
export async function changeLimits(
  call: WalletCall,
  wanted: WantedChange,
  confirm: () => Promise<{ readonly method: Means }>,
): Promise<ChangedLimits> {
  const first = { means: meansOf(call.actor), mayRaise: false }
  const changed = (await attempt(call, wanted, first)) ?? (await confirmed(call, wanted, confirm))
  await announceChange(call.platform, call.actor.principalId)
  return changed
}

/** Only under the lock is it known whether the change is a raise, and no transaction waits for a person's confirmation. */
async function confirmed(call: WalletCall, wanted: WantedChange, confirm: () => Promise<{ readonly method: Means }>) {
  const { method } = await confirm()
  const changed = await attempt(call, wanted, { means: method, mayRaise: true })
  invariant(changed !== null, 'a confirmed change is made')
  return changed
}

/** Null when it would let more pass and may not. */
function attempt(
  call: WalletCall,
  wanted: WantedChange,
  { means, mayRaise }: { readonly means: Means; readonly mayRaise: boolean },
): Promise<ChangedLimits | null> {
  const owner = { principalId: call.actor.principalId, clientId: wanted.clientId }
  return call.platform.db.transaction(async (tx) => {
    const before = await lockLimits(tx, owner)
    const after = await wanted.decide(tx, before)
    const raised = isRaise(before ?? NO_LIMITS, after ?? NO_LIMITS)
    if (raised && !mayRaise) return null
    const changeId = await recordLimits(tx, call, { owner, kind: wanted.kind, before, after })
    const differs = compareLimits(before ?? NO_LIMITS, after ?? NO_LIMITS).length > 0
    await auditLimits(tx, call, { owner, before, after, means })
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

/**
 * Reports a change of limits in the audit chain; saving what was there already is none, and what the operator does is in an
 * entry of its own. Call it last, as `recordAudit`.
 */
export async function auditLimits(
  tx: Transaction,
  call: WalletCall,
  { owner, before, after, means }: Omit<LimitsToRecord, 'kind'> & { readonly means: Means },
): Promise<void> {
  const [from, to] = [toAudit(before), toAudit(after)]
  if (means === 'operator' || isDeepStrictEqual(from, to)) return
  const raised = isRaise(before ?? NO_LIMITS, after ?? NO_LIMITS)
  const what = after === null ? 'limits_removed' : raised ? 'limits_raised' : 'limits_lowered'
  const payload = { what, from, to, means, agent_client_id: owner.clientId } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.limits.changed', payload })
}

const toAudit = (limits: Limits | null) => (limits === null ? null : { ...limitsToWire(limits) })

export function buildUnknownAgentError(): ServiceError {
  return new ServiceError('not_found', 'There is no such agent.')
}
