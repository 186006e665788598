import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { Call, WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { proveStepUp, requireTokenSuffices } from '../../identity/passkeys'
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

type Surroundings = Pick<Call, 'platform' | 'now'>

/**
 * Grants the excess that a consent named, as part of the consent's approval: it lends itself once, to the next
 * settlement of that agent at that merchant which needs it. Each approved consent has one grant of its own: that of the
 * bump, also when the person approved the bump directly before, or a new one when another consent has taken it.
 */
export async function approveBump(tx: Transaction, { platform, now }: Surroundings, named: NamedBump): Promise<void> {
  const { consentId } = named
  await lockPrincipal(tx, named.principalId)
  const taken = await claimGrants(tx, { bumpId: named.id, principalId: named.principalId, now }, consentId)
  const copies = taken.map((bumpId) => ({ bumpId, freshId: platform.random.uuid() }))
  if (copies.length > 0) await grantAgain(tx, copies, { consentId, now })
}

/** Refuses the excess that a consent named, unless it was decided before. */
export async function declineBump(tx: Transaction, { now }: Surroundings, named: NamedBump): Promise<void> {
  await lockPrincipal(tx, named.principalId)
  await decideWaitingBump(tx, { bumpId: named.id, principalId: named.principalId, now }, 'declined')
}

type BumpOnWire = OutputOf<typeof approveLimitBumpEndpoint>

/** Saying the same again changes nothing; the opposite is a conflict; unknown, expired and foreign bumps look alike. */
export async function decideBump(
  tx: Transaction,
  bump: { readonly bumpId: string; readonly principalId: string; readonly now: Date },
  decision: 'approved' | 'declined',
): Promise<LimitBump> {
  await lockPrincipal(tx, bump.principalId)
  const decided = (await decideWaitingBump(tx, bump, decision)) ?? (await findBump(tx, bump))
  if (decided === null || decided.status === 'expired') throw unknownBump()
  if (decided.status !== decision)
    throw new ServiceError('conflict', `The limit request was already ${decided.status}.`)
  return decided
}

export function unknownBump(): ServiceError {
  return new ServiceError('not_found', 'There is no such limit request.')
}

async function decide(call: WalletCall, bumpId: string, decision: 'approved' | 'declined'): Promise<BumpOnWire> {
  const { platform, actor, now } = call
  const bump = { bumpId, principalId: actor.principalId, now }
  const decided = await platform.db.transaction((tx) => decideBump(tx, bump, decision))
  await announceChange(platform, actor.principalId)
  return presentBump(decided)
}

function presentBump(bump: LimitBump): BumpOnWire {
  return {
    id: bump.id,
    scope: bump.scope,
    kind: bump.kind,
    agent_client_id: bump.agentClientId,
    merchant_audience: bump.merchantAudience,
    currency: bump.currency,
    current_minor: bump.currentMinor,
    requested_minor: bump.requestedMinor,
    ...(bump.mandateId !== null && { mandate_id: bump.mandateId }),
    status: bump.status,
    created_at: bump.createdAt.toISOString(),
    expires_at: bump.expiresAt.toISOString(),
  }
}

/**
 * Grants the excess once the person confirmed it, or asks it with a wallet token that may. What is decided already needs
 * no confirmation to say so. 403 step_up_required; 404 and 409 as `decideBump`.
 */
export async function approveLimitBump(
  call: WalletCall,
  { bump_id: bumpId, proof }: ProcedureInput<typeof approveBumpProcedure>,
): Promise<BumpOnWire> {
  const { platform, actor, now } = call
  await requireTokenSuffices(call)
  const bump = await findBump(platform.db, { bumpId, principalId: actor.principalId, now })
  if (bump === null) throw unknownBump()
  if (bump.status === 'pending') await proveStepUp(call, { purpose: 'bump.approve', subject: subjectOf(bump) }, proof)
  return decide(call, bumpId, 'approved')
}

function subjectOf(bump: LimitBump) {
  return {
    bump_id: bump.id,
    scope: bump.scope,
    kind: bump.kind,
    current_minor: bump.currentMinor,
    requested_minor: bump.requestedMinor,
    currency: bump.currency,
    agent_client_id: bump.agentClientId,
    merchant_audience: bump.merchantAudience,
  }
}

export function declineLimitBump(
  call: WalletCall,
  { bump_id: bumpId }: InputOf<typeof declineLimitBumpEndpoint>,
): Promise<BumpOnWire> {
  return decide(call, bumpId, 'declined')
}

export async function listLimitBumps({
  platform,
  actor,
  now,
}: WalletCall): Promise<OutputOf<typeof listLimitBumpsEndpoint>> {
  return { limit_bumps: (await listWaitingBumps(platform.db, actor.principalId, now)).map(presentBump) }
}
