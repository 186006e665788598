import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { proveStepUp, requireTokenSuffices } from '../../identity/passkeys'
import { lockPrincipal } from '../../shared/principals'
import { decideWaitingBump, findBump, type LimitBump, listWaitingBumps } from './bump-store'
import type {
  approveBumpProcedure,
  approveLimitBumpEndpoint,
  declineLimitBumpEndpoint,
  listLimitBumpsEndpoint,
} from './contract'

type BumpOnWire = OutputOf<typeof approveLimitBumpEndpoint>

/**
 * Decides a bump. The same decision again changes nothing; the opposite one is a conflict, and so is deciding one that
 * belongs to a consent before that is decided; unknown, expired and foreign bumps look alike.
 */
export async function decideBump(
  tx: Transaction,
  bump: { readonly bumpId: string; readonly principalId: string; readonly now: Date },
  decision: 'approved' | 'declined',
): Promise<LimitBump> {
  await lockPrincipal(tx, bump.principalId)
  const decided = (await decideWaitingBump(tx, bump, decision)) ?? (await findBump(tx, bump))
  if (decided === null || decided.status === 'expired') throw buildUnknownBumpError()
  requireOwnQuestion(decided)
  if (decided.status !== decision)
    throw new ServiceError('conflict', `The limit request was already ${decided.status}.`)
  return decided
}

/** What a purchase exceeds is lifted by approving the purchase: the holder of the phone alone cannot lift it. */
function requireOwnQuestion({ consent_id: consentId, status }: LimitBump): void {
  if (consentId === null || status !== 'pending') return
  throw new ServiceError('conflict', 'The limit request is decided with the purchase that it belongs to.')
}

export function buildUnknownBumpError(): ServiceError {
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
    ...bump.exceeds[0],
    exceeds: [...bump.exceeds],
    agent_client_id: bump.agent_client_id,
    merchant_audience: bump.merchant_audience,
    amount_minor: bump.amount_minor,
    currency: bump.currency,
    ...(bump.mandate_id !== null && { mandate_id: bump.mandate_id }),
    status: bump.status,
    created_at: bump.created_at.toISOString(),
    expires_at: bump.expires_at.toISOString(),
  }
}

/**
 * Grants the excess once the person has confirmed it, or with a wallet token that may approve. Repeating a decision needs no
 * confirmation. 403 step_up_required; 404 and 409 as `decideBump`.
 */
export async function approveLimitBump(
  call: WalletCall,
  { bump_id: bumpId, proof }: ProcedureInput<typeof approveBumpProcedure>,
): Promise<BumpOnWire> {
  const { platform, actor, now } = call
  await requireTokenSuffices(call)
  const bump = await findBump(platform.db, { bumpId, principalId: actor.principalId, now })
  if (bump === null) throw buildUnknownBumpError()
  requireOwnQuestion(bump)
  if (bump.status === 'pending') await proveStepUp(call, { purpose: 'bump.approve', subject: subjectOf(bump) }, proof)
  return decide(call, bumpId, 'approved')
}

function subjectOf(bump: LimitBump) {
  return {
    bump_id: bump.id,
    exceeds: bump.exceeds,
    amount_minor: bump.amount_minor,
    currency: bump.currency,
    agent_client_id: bump.agent_client_id,
    merchant_audience: bump.merchant_audience,
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
