import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { requireNotRequester } from '../../base/core/require-not-requester'
import { proveStepUp } from '../../identity/passkeys'
import { type Means, meansOf, recordPersonAct } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import { decideWaitingBump, findBump, type LimitBump, listWaitingBumps } from './bump-store'
import type {
  approveBumpProcedure,
  approveLimitBumpEndpoint,
  declineLimitBumpEndpoint,
  listLimitBumpsEndpoint,
} from './contract'

type BumpOnWire = OutputOf<typeof approveLimitBumpEndpoint>

/** A bump to decide, with the person who decides, the means by which they do, and the time. */
interface DecidedBump {
  readonly bumpId: string
  readonly actor: Pick<WalletCall['actor'], 'principalId' | 'tenantId'>
  readonly means: Means
  readonly now: Date
}

/**
 * Decides a bump, under the lock of its person. The same decision again changes nothing; the opposite one is a 409
 * conflict, and so is deciding one that belongs to a consent that still waits; unknown, expired and foreign bumps are
 * all 404.
 */
export async function decideBump(
  tx: Transaction,
  { bumpId, actor, means, now }: DecidedBump,
  decision: 'approved' | 'declined',
): Promise<LimitBump> {
  const bump = { bumpId, principalId: actor.principalId, now }
  const fresh = await decideWaitingBump(tx, bump, decision)
  if (fresh?.status === 'approved') await auditGrant(tx, { actor, now }, { bump: fresh, means })
  const decided = fresh ?? (await findBump(tx, bump))
  if (decided === null || decided.status === 'expired') throw buildUnknownBumpError()
  requireWithoutConsent(decided)
  if (decided.status !== decision)
    throw new ServiceError('conflict', `The limit request was already ${decided.status}.`)
  return decided
}

function auditGrant(
  tx: Transaction,
  by: Pick<DecidedBump, 'actor' | 'now'>,
  { bump, means }: { readonly bump: LimitBump; readonly means: Means },
): Promise<void> {
  const { id, amount_minor, currency, agent_client_id } = bump
  const payload = {
    what: 'limit_request',
    from: { status: 'pending' },
    to: { status: 'approved', amount_minor, currency, exceeds: bump.exceeds.map((one) => ({ ...one })) },
    means,
    agent_client_id,
    bump_id: id,
  } as const
  return recordPersonAct(tx, by, { event: 'oid4ac.limits.changed', payload })
}

/** Throws 409 for a limit request that belongs to a waiting approval: it is decided with that, not by phone alone. */
function requireWithoutConsent({ consent_id: consentId, status }: LimitBump): void {
  if (consentId === null || status !== 'pending') return
  throw new ServiceError('conflict', 'The limit request is decided with the purchase that it belongs to.')
}

/** Returns 404 not_found. */
export function buildUnknownBumpError(): ServiceError {
  return new ServiceError('not_found', 'There is no such limit request.')
}

async function decide(
  call: WalletCall,
  { bumpId, means }: Pick<DecidedBump, 'bumpId' | 'means'>,
  decision: 'approved' | 'declined',
): Promise<BumpOnWire> {
  const { platform, actor, now } = call
  const decided = await platform.db.transaction(async (tx) => {
    await lockActor(tx, actor)
    return decideBump(tx, { bumpId, actor, means, now }, decision)
  })
  await announceChange(platform, actor.principalId)
  return renderBump(decided)
}

function renderBump(bump: LimitBump): BumpOnWire {
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
 * Approves the limit request once the person has confirmed it, or with a wallet token that suffices. Repeating a
 * decision needs no confirmation. 403 step_up_required or 401 insufficient_user_authentication; 403 forbidden for an
 * agent's own bump; 404 and 409 as `decideBump`.
 */
export async function approveLimitBump(
  call: WalletCall,
  { bump_id: bumpId, proof }: ProcedureInput<typeof approveBumpProcedure>,
): Promise<BumpOnWire> {
  const bump = await getBumpOfOtherAgent(call, bumpId)
  const isOpen = bump.status === 'pending'
  const action = { purpose: 'bump.approve', subject: subjectOf(bump) } as const
  const means = isOpen ? (await proveStepUp(call, action, proof)).method : meansOf(call.actor)
  return decide(call, { bumpId, means }, 'approved')
}

async function getBumpOfOtherAgent({ platform, actor, now }: WalletCall, bumpId: string): Promise<LimitBump> {
  const bump = await findBump(platform.db, { bumpId, principalId: actor.principalId, now })
  if (bump === null) throw buildUnknownBumpError()
  requireNotRequester(actor, bump.agent_client_id)
  requireWithoutConsent(bump)
  return bump
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

/** Declines the limit request. 403 forbidden for an agent's own bump; 404 and 409 as `decideBump`. */
export async function declineLimitBump(
  call: WalletCall,
  { bump_id: bumpId }: InputOf<typeof declineLimitBumpEndpoint>,
): Promise<BumpOnWire> {
  await getBumpOfOtherAgent(call, bumpId)
  return decide(call, { bumpId, means: meansOf(call.actor) }, 'declined')
}

/** Returns the person's pending limit requests, newest first. */
export async function listLimitBumps({
  platform,
  actor,
  now,
}: WalletCall): Promise<OutputOf<typeof listLimitBumpsEndpoint>> {
  return { limit_bumps: (await listWaitingBumps(platform.db, actor.principalId, now)).map(renderBump) }
}
