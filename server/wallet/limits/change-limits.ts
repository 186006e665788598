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
  /** Returns the limits after the change, given the locked present ones; null removes the limits. */
  readonly decide: (tx: Transaction, before: StoredLimits | null) => Promise<Limits | null> | Limits | null
}

export interface ChangedLimits {
  /** The id of the recorded change; null when nothing has changed. */
  readonly changeId: string | null
  readonly limits: StoredLimits | null
  /** Whether at least one limit became stricter, none looser, and weeks and months begin as before. */
  readonly lowered: boolean
}

/**
 * Replaces limits as a whole and records the change, in one transaction; every settlement that starts afterwards is
 * checked against them. A change that lets more pass needs `confirm`, which returns how the person confirmed, or
 * throws.
 */
export async function changeLimits(call: WalletCall, wanted: WantedChange, confirm: Confirm): Promise<ChangedLimits> {
  const first = await attempt(call, wanted, { means: meansOf(call.actor), mayRaise: false })
  const changed = first.kind === 'changed' ? first : await confirmed(call, { ...wanted, after: first.after }, confirm)
  await announceChange(call.platform, call.actor.principalId)
  return changed
}

/** Asks for the person's confirmation of these limits; returns the method, or throws. */
type Confirm = (after: Limits | null) => Promise<{ readonly method: Means }>

/**
 * Saves a raise that the person has confirmed. Whether a change is a raise is known only under the lock, but no
 * transaction may wait for a person. The confirmed limits are saved even if the present ones have changed meanwhile.
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

/** The result of an attempt: the change, or the limits of a raise that is not confirmed yet. */
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
    const before = await readLimitsOf(tx, owner)
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
 * Returns the present limits, null when none were ever saved. To change them, the caller holds the person's lock, under
 * which payments are checked. 404 for an unknown agent.
 */
export async function readLimitsOf(db: Queryable, owner: LimitsOwner): Promise<StoredLimits | null> {
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
 * Records a change of limits in the audit chain. Saving equal limits records nothing, and acts of the operator have an
 * entry of their own. Call it last, as `recordAudit`.
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
