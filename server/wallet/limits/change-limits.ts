import { isDeepStrictEqual } from 'node:util'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import { invariant } from '../../base/core/invariant'
import type { Queryable, Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { type Means, meansOf, recordPersonAct } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import { insertLimitChange, type LimitChangeKind, type LimitsOwner } from './change-store'
import { compareLimits, hasSameTimeZone, isRaise } from './raise'
import { type Limits, NO_LIMITS } from './rules'
import {
  findAgentLimits,
  findLimits,
  hasAgentWindows,
  type StoredLimits,
  updateAgentLimits,
  updateLimits,
} from './store'
import { limitsToWire } from './wire-limits'

/** A change of limits that the person requests. */
export interface WantedChange {
  readonly clientId: string | null
  readonly kind: LimitChangeKind
  /** The limits after the change, given those under the lock. Null takes the limits away. */
  readonly decide: (tx: Transaction, before: StoredLimits | null) => Promise<Limits | null> | Limits | null
}

export interface ChangedLimits {
  /** Null when nothing has changed. */
  readonly changeId: string | null
  readonly limits: StoredLimits | null
  /** Something is stricter now, nothing looser, and weeks and months turn as before. */
  readonly lowered: boolean
}

/**
 * Changes limits as a whole and records the change, in one transaction; every settlement that starts after it obeys
 * them. A change that lets more pass happens only after `confirm`, which throws to refuse it and returns what confirmed it.
 */
export async function changeLimits(call: WalletCall, wanted: WantedChange, confirm: Confirm): Promise<ChangedLimits> {
  const first = await attempt(call, wanted, { means: meansOf(call.actor), mayRaise: false })
  const changed = first.kind === 'changed' ? first : await confirmed(call, { ...wanted, after: first.after }, confirm)
  await announceChange(call.platform, call.actor.principalId)
  return changed
}

/** Has the person confirm these limits. Throws to refuse them. */
type Confirm = (after: Limits | null) => Promise<{ readonly method: Means }>

/**
 * Only under the lock is it known whether the change is a raise, and no transaction waits for a person's confirmation. What
 * is confirmed is what is saved, also where the limits have changed meanwhile.
 */
async function confirmed(
  call: WalletCall,
  { after, ...wanted }: WantedChange & { readonly after: Limits | null },
  confirm: Confirm,
): Promise<ChangedLimits> {
  const { method } = await confirm(after)
  const changed = await attempt(call, { ...wanted, decide: () => after }, { means: method, mayRaise: true })
  invariant(changed.kind === 'changed', 'a confirmed change is made')
  return changed
}

/** What came of an attempt: the change, or limits that would let more pass and may not. */
type Attempt =
  | (ChangedLimits & { readonly kind: 'changed' })
  | { readonly kind: 'raise'; readonly after: Limits | null }

function attempt(
  call: WalletCall,
  wanted: WantedChange,
  { means, mayRaise }: { readonly means: Means; readonly mayRaise: boolean },
): Promise<Attempt> {
  const owner = { principalId: call.actor.principalId, clientId: wanted.clientId }
  return call.platform.db.transaction(async (tx) => {
    await lockActor(tx, call.actor)
    const before = await findLimitsOf(tx, owner)
    const after = await wanted.decide(tx, before)
    const [from, to] = [before ?? NO_LIMITS, after ?? NO_LIMITS]
    const isSameZone = hasSameTimeZone(from, to)
    const raised = isRaise(from, to) || (!isSameZone && (await hasAgentWindows(tx, owner.principalId)))
    if (raised && !mayRaise) return { kind: 'raise', after }
    const changeId = await recordLimits(tx, call, { owner, kind: wanted.kind, before, after })
    const lowered = !raised && isSameZone && compareLimits(from, to).length > 0
    await auditLimits(tx, call, { owner, before, after, means, raised })
    const limits = after === null ? null : { ...after, updatedAt: call.now }
    return { kind: 'changed', changeId, limits, lowered }
  })
}

/**
 * The limits as they stand, null when none were ever saved. Who changes them holds the person's lock, under which payments
 * are evaluated. 404 for an unknown agent.
 */
export async function findLimitsOf(db: Queryable, owner: LimitsOwner): Promise<StoredLimits | null> {
  if (owner.clientId === null) return findLimits(db, owner.principalId)
  const limits = await findAgentLimits(db, { ...owner, clientId: owner.clientId })
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
  change: Omit<LimitsToRecord, 'kind'> & { readonly means: Means; readonly raised: boolean },
): Promise<void> {
  const { owner, before, after, means, raised } = change
  const [from, to] = [toAudit(before), toAudit(after)]
  if (means === 'operator' || isDeepStrictEqual(from, to)) return
  const what = after === null ? 'limits_removed' : raised ? 'limits_raised' : 'limits_lowered'
  const payload = { what, from, to, means, agent_client_id: owner.clientId } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.limits.changed', payload })
}

const toAudit = (limits: Limits | null) => (limits === null ? null : { ...limitsToWire(limits) })
