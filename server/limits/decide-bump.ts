import type { InputOf, OutputOf } from '../contract/endpoint'
import type { Call, WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import type { Transaction } from '../core/platform'
import { decideWaitingBump, findBump, grantAgain, type LimitBump, listWaitingBumps } from './bump-store'
import type { approveLimitBumpEndpoint, listLimitBumpsEndpoint } from './contract'

/** A bump of the person's, as one of their consents names it. */
export interface BumpChoice {
  readonly id: string
  readonly principalId: string
}

type Surroundings = Pick<Call, 'platform' | 'now'>

/**
 * Grants the excess that a consent named, as part of the consent's approval: it lends itself once, to the next
 * settlement of that agent at that merchant which needs it. When the bump was decided before, by another consent that
 * named it too, this approval brings a grant of its own.
 */
export async function approveBump(tx: Transaction, { platform, now }: Surroundings, choice: BumpChoice): Promise<void> {
  const bump = { bumpId: choice.id, principalId: choice.principalId, now }
  if ((await decideWaitingBump(tx, bump, 'approved')) === null) await grantAgain(tx, bump, platform.random.uuid())
}

/** Refuses the excess that a consent named, unless it was decided before. */
export async function declineBump(tx: Transaction, { now }: Surroundings, choice: BumpChoice): Promise<void> {
  await decideWaitingBump(tx, { bumpId: choice.id, principalId: choice.principalId, now }, 'declined')
}

type BumpOnWire = OutputOf<typeof approveLimitBumpEndpoint>
type BumpInput = InputOf<typeof approveLimitBumpEndpoint>

/** Saying the same again changes nothing; the opposite is a conflict; unknown, expired and foreign bumps look alike. */
export async function decideBump(
  tx: Transaction,
  bump: { readonly bumpId: string; readonly principalId: string; readonly now: Date },
  decision: 'approved' | 'declined',
): Promise<LimitBump> {
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
  const bump = { bumpId, principalId: call.actor.principalId, now: call.now }
  return presentBump(await call.platform.db.transaction((tx) => decideBump(tx, bump, decision)))
}

function presentBump(bump: LimitBump): BumpOnWire {
  return {
    id: bump.id,
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

export function approveLimitBump(call: WalletCall, { bump_id: bumpId }: BumpInput): Promise<BumpOnWire> {
  return decide(call, bumpId, 'approved')
}

export function declineLimitBump(call: WalletCall, { bump_id: bumpId }: BumpInput): Promise<BumpOnWire> {
  return decide(call, bumpId, 'declined')
}

export async function listLimitBumps({
  platform,
  actor,
  now,
}: WalletCall): Promise<OutputOf<typeof listLimitBumpsEndpoint>> {
  return { limit_bumps: (await listWaitingBumps(platform.db, actor.principalId, now)).map(presentBump) }
}
