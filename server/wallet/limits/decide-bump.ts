import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { Call, WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { refuseOwnRequest } from '../../base/core/refuse-own-request'
import { proveStepUp } from '../../identity/passkeys'
import { type Means, meansOf, recordPersonAct } from '../../shared/audit'
import { lockPrincipal } from '../../shared/principals'
import { claimGrants, decideWaitingBump, findBump, grantAgain, type LimitBump, listWaitingBumps } from './bump-store'
import type {
  approveBumpProcedure,
  approveLimitBumpEndpoint,
  declineLimitBumpEndpoint,
  listLimitBumpsEndpoint,
} from './contract'

/** A bump of the person's, as one of their consents names it. */
export interface NamedBump {
  readonly id: string
  readonly principalId: string
  /** The consent that names it. */
  readonly consentId: string
}

type BumpCall = Pick<Call, 'platform' | 'now'>

/**
 * Grants the excess that a consent named, as part of the consent's approval: the grant is used once, by the next
 * settlement of that agent at that merchant which needs it. Each approved consent has one grant of its own: that of the
 * bump, also when the person approved the bump directly before, or a new one when another consent has taken it.
 */
export async function approveBump(tx: Transaction, { platform, now }: BumpCall, named: NamedBump): Promise<void> {
  const { consentId } = named
  await lockPrincipal(tx, named.principalId)
  const taken = await claimGrants(tx, { bumpId: named.id, principalId: named.principalId, now }, consentId)
  const copies = taken.map((bumpId) => ({ bumpId, freshId: platform.random.uuid() }))
  if (copies.length > 0) await grantAgain(tx, copies, { consentId, now })
}

/** Refuses the excess that a consent named, unless it was decided before. */
export async function declineBump(tx: Transaction, { now }: BumpCall, named: NamedBump): Promise<void> {
  await lockPrincipal(tx, named.principalId)
  await decideWaitingBump(tx, { bumpId: named.id, principalId: named.principalId, now }, 'declined')
}

type BumpOnWire = OutputOf<typeof approveLimitBumpEndpoint>

/** A bump that its person decides about by itself. */
interface DecidedBump {
  readonly bumpId: string
  readonly actor: Pick<WalletCall['actor'], 'principalId' | 'tenantId'>
  readonly means: Means
  readonly now: Date
}

/** Decides a bump. The same decision again changes nothing; the opposite one is a conflict; unknown, expired and foreign bumps look alike. */
export async function decideBump(
  tx: Transaction,
  { bumpId, actor, means, now }: DecidedBump,
  decision: 'approved' | 'declined',
): Promise<LimitBump> {
  const bump = { bumpId, principalId: actor.principalId, now }
  await lockPrincipal(tx, actor.principalId)
  const fresh = await decideWaitingBump(tx, bump, decision)
  if (fresh?.status === 'approved') await auditGrant(tx, { actor, now }, { bump: fresh, means })
  const decided = fresh ?? (await findBump(tx, bump))
  if (decided === null || decided.status === 'expired') throw buildUnknownBumpError()
  if (decided.status !== decision)
    throw new ServiceError('conflict', `The limit request was already ${decided.status}.`)
  return decided
}

function auditGrant(
  tx: Transaction,
  by: Pick<DecidedBump, 'actor' | 'now'>,
  { bump, means }: { readonly bump: LimitBump; readonly means: Means },
): Promise<void> {
  const { id, scope, kind, current_minor, requested_minor, currency, agent_client_id } = bump
  const payload = {
    what: 'limit_request',
    from: { status: 'pending', scope, kind, current_minor },
    to: { status: 'approved', requested_minor, currency },
    means,
    agent_client_id,
    bump_id: id,
  } as const
  return recordPersonAct(tx, by, { event: 'oid4ac.limits.changed', payload })
}

export function buildUnknownBumpError(): ServiceError {
  return new ServiceError('not_found', 'There is no such limit request.')
}

async function decide(
  call: WalletCall,
  { bumpId, means }: Pick<DecidedBump, 'bumpId' | 'means'>,
  decision: 'approved' | 'declined',
): Promise<BumpOnWire> {
  const { platform, actor, now } = call
  const decided = await platform.db.transaction((tx) => decideBump(tx, { bumpId, actor, means, now }, decision))
  await announceChange(platform, actor.principalId)
  return presentBump(decided)
}

function presentBump(bump: LimitBump): BumpOnWire {
  return {
    id: bump.id,
    scope: bump.scope,
    kind: bump.kind,
    agent_client_id: bump.agent_client_id,
    merchant_audience: bump.merchant_audience,
    currency: bump.currency,
    current_minor: bump.current_minor,
    requested_minor: bump.requested_minor,
    ...(bump.mandate_id !== null && { mandate_id: bump.mandate_id }),
    status: bump.status,
    created_at: bump.created_at.toISOString(),
    expires_at: bump.expires_at.toISOString(),
  }
}

/**
 * Grants the excess once the person has confirmed it, or with a wallet token that suffices. Repeating a decision needs no
 * confirmation. 403 step_up_required or 401 insufficient_user_authentication; 403 forbidden for an agent's own bump; 404
 * and 409 as `decideBump`.
 */
export async function approveLimitBump(
  call: WalletCall,
  { bump_id: bumpId, proof }: ProcedureInput<typeof approveBumpProcedure>,
): Promise<BumpOnWire> {
  const bump = await getOthersBump(call, bumpId)
  const isOpen = bump.status === 'pending'
  const action = { purpose: 'bump.approve', subject: subjectOf(bump) } as const
  const means = isOpen ? (await proveStepUp(call, action, proof)).method : meansOf(call.actor)
  return decide(call, { bumpId, means }, 'approved')
}

async function getOthersBump({ platform, actor, now }: WalletCall, bumpId: string): Promise<LimitBump> {
  const bump = await findBump(platform.db, { bumpId, principalId: actor.principalId, now })
  if (bump === null) throw buildUnknownBumpError()
  refuseOwnRequest(actor, bump.agent_client_id)
  return bump
}

function subjectOf(bump: LimitBump) {
  return {
    bump_id: bump.id,
    scope: bump.scope,
    kind: bump.kind,
    current_minor: bump.current_minor,
    requested_minor: bump.requested_minor,
    currency: bump.currency,
    agent_client_id: bump.agent_client_id,
    merchant_audience: bump.merchant_audience,
  }
}

/** Refuses the excess. 403 forbidden for an agent's own bump; 404 and 409 as `decideBump`. */
export async function declineLimitBump(
  call: WalletCall,
  { bump_id: bumpId }: InputOf<typeof declineLimitBumpEndpoint>,
): Promise<BumpOnWire> {
  await getOthersBump(call, bumpId)
  return decide(call, { bumpId, means: meansOf(call.actor) }, 'declined')
}

export async function listLimitBumps({
  platform,
  actor,
  now,
}: WalletCall): Promise<OutputOf<typeof listLimitBumpsEndpoint>> {
  return { limit_bumps: (await listWaitingBumps(platform.db, actor.principalId, now)).map(presentBump) }
}
