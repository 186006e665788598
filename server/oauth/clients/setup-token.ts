import { parseScopes } from '../../base/contract/parse-scopes'
import type { Call, ClientCall, WalletCall } from '../../base/core/call'
import { buildBarredError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { SETUP_TOKEN_TTL_SECONDS } from '../../base/protocol/lifetimes'
import { type Means, recordAudit, recordPersonAct } from '../../shared/audit'
import { buildUnknownPrincipalError, createPrincipal, lockIfActive, requirePrincipal } from '../../shared/principals'
import { parseLimits } from '../../wallet/limits'
import { limitsToWire, type WantedLimits, type WireLimits } from '../../wallet/limits/contract'
import {
  findFirstExpiry,
  findSetupTokenById,
  insertSetupToken,
  OPEN_SETUP_TOKENS_MAX,
  saveSetupTokenCancelled,
} from './setup-token-store'

export interface SetupTokenPlan {
  readonly principalId: string
  readonly tenantId: string
  /** Scopes that the agent may register; null allows all of an agent's scopes. */
  readonly scope: readonly string[] | null
  readonly name: string | null
  readonly purpose: string | null
  /** The initial limits of the agent; none by default. */
  readonly limits?: WireLimits | null
}

interface SetupTokenOptions {
  readonly plan: SetupTokenPlan
  /** Records the token with this id in the audit chain. */
  readonly record: (tx: Transaction, id: string) => Promise<void>
}

/**
 * Creates a setup token: 32 random bytes, valid for 24 h, stored only as a hash. Throws 429 rate_limited while the
 * person has twenty open ones.
 */
export async function mintSetupToken(
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { plan, record }: SetupTokenOptions,
) {
  const token = platform.random.token(32)
  const id = platform.random.uuid()
  const expiresAt = new Date(now.getTime() + SETUP_TOKEN_TTL_SECONDS * 1000)
  const limits = plan.limits ?? null
  const row = { ...plan, limits, id, tokenHash: sha256Base64url(token), now, expiresAt }
  await platform.db.transaction(async (tx) => {
    if (!(await lockIfActive(tx, plan.principalId))) throw buildUnknownPrincipalError()
    if (!(await insertSetupToken(tx, row))) throw await buildTooManyOpenError(tx, row)
    await record(tx, id)
  })
  const reply = {
    setup_token: token,
    expires_in: SETUP_TOKEN_TTL_SECONDS,
    qr_payload: `oid4ac://register?setup_token=${token}`,
  }
  return { id, expiresAt, reply }
}

function connected(
  { scope, limits = null }: SetupTokenPlan,
  { id, means }: { readonly id: string; readonly means: Means },
) {
  const payload = { what: 'setup_token', from: null, to: { scope, limits }, means } as const
  return {
    event: 'oid4ac.agent.connected',
    payload: { ...payload, agent_client_id: null, setup_token_id: id },
  } as const
}

async function buildTooManyOpenError(
  tx: Transaction,
  owner: { principalId: string; now: Date },
): Promise<ServiceError> {
  const until = await findFirstExpiry(tx, owner)
  const seconds = Math.max(1, Math.ceil(((until ?? owner.now).getTime() - owner.now.getTime()) / 1000))
  const message = `At most ${OPEN_SETUP_TOKENS_MAX} setup tokens of a person may wait. Use or cancel one.`
  return new ServiceError('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}

interface SetupTokenRequest {
  readonly principal_id: string
  readonly scope?: string | undefined
}

/**
 * POST /wallet/setup-tokens: creates a setup token for a person of the calling wallet client. A person whom no tenant
 * has is created under the caller; one of another tenant and one who was erased look unknown.
 */
export async function createSetupTokenForClient(call: ClientCall, input: SetupTokenRequest) {
  const { platform, actor, now } = call
  const scope = parseScopes(input.scope)
  const principal = await createPrincipal(platform.db, {
    id: input.principal_id,
    tenantId: actor.client.id,
    email: null,
    displayName: null,
    approvalRule: 'new_merchants',
    now,
  })
  if (principal === null || principal.tenant_id !== actor.client.id || principal.erased) {
    throw buildUnknownPrincipalError()
  }
  requireOpenToAgents(principal)
  const wanted = { principalId: principal.id, tenantId: actor.client.id, scope, name: null, purpose: null }
  const by = { tenantId: actor.client.id, actor: { kind: 'wallet_client', id: actor.client.id }, now } as const
  const record = (tx: Transaction, id: string) =>
    recordAudit(tx, { ...by, principalId: principal.id, ...connected(wanted, { id, means: 'client_assertion' }) })
  return (await mintSetupToken(call, { plan: wanted, record })).reply
}

/** Throws 400 access_denied for a person who has been erased or has restricted processing. */
export function requireOpenToAgents(principal: { erased: boolean; processing_restricted: boolean }): void {
  if (principal.erased || principal.processing_restricted) throw buildBarredError()
}

interface AgentPlan {
  readonly name: string
  readonly purpose: string
  readonly scope: string
  readonly limits?: WantedLimits | undefined
}

/**
 * Creates a setup token for the portal's "Connect agent", with the name, purpose, permissions and limits that the
 * person chose and confirmed.
 */
export async function createPlannedSetupToken(call: WalletCall, plan: AgentPlan, means: Means) {
  const { platform, actor } = call
  const principal = await requirePrincipal(platform.db, actor.principalId)
  requireOpenToAgents(principal)
  const wanted = {
    principalId: principal.id,
    tenantId: principal.tenant_id,
    scope: parseScopes(plan.scope),
    name: plan.name,
    purpose: plan.purpose === '' ? null : plan.purpose,
    limits: plan.limits === undefined ? null : limitsToWire(parseLimits(platform, plan.limits)),
  }
  const record = (tx: Transaction, tokenId: string) =>
    recordPersonAct(tx, call, connected(wanted, { id: tokenId, means }))
  const { id, expiresAt, reply } = await mintSetupToken(call, { plan: wanted, record })
  return { id, expires_at: expiresAt.toISOString(), ...reply }
}

/** Returns a setup token with its status: waiting, connected, cancelled or expired. Throws 404 for an unknown one. */
export async function readSetupToken(call: WalletCall, input: { id: string }) {
  const row = await findSetupTokenById(call.platform.db, input.id, call.actor.principalId)
  if (row === null) throw new ServiceError('not_found', 'There is no such setup token.')
  const open = row.expires_at > call.now ? ('waiting' as const) : ('expired' as const)
  const status = row.consumed_at ? ('connected' as const) : row.cancelled_at ? ('cancelled' as const) : open
  return { id: row.id, status, client_id: row.consumed_by, expires_at: row.expires_at.toISOString() }
}

/** Cancels a setup token unless it was used, and returns it with its status. */
export async function cancelSetupToken(call: WalletCall, input: { id: string }) {
  const { platform, actor, now } = call
  await saveSetupTokenCancelled(platform.db, input.id, { principalId: actor.principalId, now })
  return readSetupToken(call, input)
}
