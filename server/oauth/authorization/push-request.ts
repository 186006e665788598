import { announceChange } from '../../base/core/announce-change'
import type { ClientCall } from '../../base/core/call'
import { buildBarredError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import { sha256Base64url } from '../../base/protocol/encoding'
import { PAR_HUMAN_TTL_SECONDS, PAR_TTL_SECONDS } from '../../base/protocol/lifetimes'
import {
  buildTooManyWaitingError,
  type ConsentToCreate,
  createConsent,
  PENDING_CONSENTS_PER_AGENT,
  rememberedSubject,
} from '../../wallet/approvals'
import {
  describeMismatch,
  describeStop,
  type Exceeds,
  evaluateLimits,
  readLimitState,
  type Stop,
} from '../../wallet/limits'
import { buildLapsedError } from '../../wallet/merchants'
import { buildRevokedClientError, isActiveClient, requireAdmission } from '../clients'
import { buildListFullError } from '../mandates'
import type { PushedParameters } from './contract'
import { type AuthorizationRequest, parseAuthorizationRequest } from './parse-request'
import {
  findRequestContext,
  insertPushedRequests,
  type NewPushedRequest,
  type RequestContext,
  storePushedRequest,
} from './pushed-request-store'

const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:'
/** The outcome of a request when it was pushed. */
type RequestOutcome =
  | { readonly kind: 'approved' }
  | {
      readonly kind: 'setup_required'
      /** The age that the person must still prove; null when a card is missing. */
      readonly requiredAge: number | null
    }
  | {
      readonly kind: 'access_denied'
      /** The reason for the agent; absent when it is only told that the request was declined. */
      readonly refusal?: string
    }
  | { readonly kind: 'consent'; readonly exceeds: Exceeds | null }

/**
 * POST /oauth/par: checks the request, determines its outcome (approved, approval needed, card or proof of age missing,
 * refused) and stores it under an opaque handle (RFC 9126 section 2.2). A needed approval is created and announced in
 * the same transaction.
 */
export async function pushRequest(call: ClientCall, input: PushedParameters) {
  const { actor, platform, now } = call
  const request = parseAuthorizationRequest(input, call)
  const subject = rememberedSubject(request)
  const query = { clientId: actor.client.id, payment: request.payment, subject, now }
  const context = await findRequestContext(platform.db, query)
  if (context === null || !context.active) throw buildRevokedClientError()
  requireServed(call, request, context)
  const outcome = await decideOutcome(call, request, context)
  const lifetime = outcome.kind === 'consent' ? PAR_HUMAN_TTL_SECONDS : PAR_TTL_SECONDS
  const handle = REQUEST_URI_PREFIX + platform.random.token(32)
  const pushed = toPushed(call, request, { handle, outcome, expiresAt: new Date(now.getTime() + lifetime * 1000) })
  if (outcome.kind === 'consent') {
    await storeWithConsent(call, pushed, { handle, context, exceeds: outcome.exceeds })
  } else {
    requireUnusedKeys(call, await storePushedRequest(platform.db, { pushed, keys: actor.replayKeys }))
  }
  return { request_uri: handle, expires_in: lifetime }
}

/** Throws for a person who may get no tokens, a merchant that may not be paid, and a full status list. */
function requireServed({ platform }: ClientCall, request: AuthorizationRequest, context: RequestContext): void {
  if (context.erased || context.processing_restricted) throw buildBarredError()
  if (request.payment === null) return
  if (context.merchant_lapsed) throw buildLapsedError()
  if (!context.merchant_listed && platform.config.unlistedMerchants === 'refuse') {
    throw new ServiceError('invalid_target', 'The merchant is not an active merchant of the directory.')
  }
  if (context.status_list_full) throw buildListFullError()
}

/**
 * Determines the outcome in the order of the contract: freeze or pause and merchant rules, then a usable card and a
 * proof of age where the merchant requires one, then limits and the person's approval rule.
 */
async function decideOutcome(
  call: ClientCall,
  request: AuthorizationRequest,
  context: RequestContext,
): Promise<RequestOutcome> {
  const outcome = await evaluateRequest(call, request, context)
  if (outcome.kind !== 'consent') return outcome
  // While the switch is off, people cannot decide.
  if (!(await call.platform.switches.isOn('consent_scan'))) return { kind: 'access_denied' }
  // A first check before anything is locked; the number is checked again when the approval is created.
  if (context.pending >= PENDING_CONSENTS_PER_AGENT) throw buildTooManyWaitingError()
  return outcome
}

async function evaluateRequest(
  { platform, actor, now }: ClientCall,
  request: AuthorizationRequest,
  context: RequestContext,
): Promise<RequestOutcome> {
  const isConsentWanted = request.consentModeHint !== 'auto'
  if (request.payment === null) {
    return context.remembered && !isConsentWanted ? { kind: 'approved' } : { kind: 'consent', exceeds: null }
  }
  if (context.stop !== null) return { kind: 'access_denied', refusal: describeStop(context.stop) }
  if (context.policy_denies) return { kind: 'access_denied' }
  if (!context.has_card) return { kind: 'setup_required', requiredAge: null }
  if (!context.age_proven) return { kind: 'setup_required', requiredAge: context.min_age }
  // Evaluated now, so that the person can approve exceeding a limit; settlement evaluates again and decides.
  const { amount_minor: amountMinor, currency } = request.payment
  const subject = { principalId: context.principal_id, agentClientId: actor.client.id, currency, now }
  const evaluation = evaluateLimits(await readLimitState(platform.db, context, subject), { amountMinor, currency })
  if (evaluation.outcome === 'currency_mismatch')
    return { kind: 'access_denied', refusal: describeMismatch(evaluation) }
  if (evaluation.outcome === 'exceeded') return { kind: 'consent', exceeds: evaluation.exceeds }
  return isConsentWanted || needsApprovalByRule(context) ? { kind: 'consent', exceeds: null } : { kind: 'approved' }
}

function needsApprovalByRule({ approval_rule, remembered }: RequestContext): boolean {
  return approval_rule === 'every_purchase' || (approval_rule === 'new_merchants' && !remembered)
}

interface HandledOutcome {
  readonly handle: string
  readonly outcome: RequestOutcome
  readonly expiresAt: Date
}

function toPushed(
  call: ClientCall,
  request: AuthorizationRequest,
  { handle, outcome, expiresAt }: HandledOutcome,
): NewPushedRequest {
  const { client, dpop } = call.actor
  invariant(dpop !== null && client.principalId !== null, 'PAR takes agents with a proof')
  return {
    handleHash: sha256Base64url(handle),
    clientId: client.id,
    principalId: client.principalId,
    jkt: dpop.jkt,
    jwk: dpop.jwk,
    request,
    decision: outcome.kind,
    refusal: outcome.kind === 'access_denied' ? (outcome.refusal ?? null) : null,
    requiredAge: outcome.kind === 'setup_required' ? outcome.requiredAge : null,
    authorizationId: outcome.kind === 'consent' ? call.platform.random.uuid() : null,
    now: call.now,
    expiresAt,
  }
}

interface ConsentContext {
  readonly handle: string
  readonly context: RequestContext
  readonly exceeds: Exceeds | null
}

async function storeWithConsent(
  call: ClientCall,
  pushed: NewPushedRequest,
  { handle, context, exceeds }: ConsentContext,
) {
  const { request } = pushed
  const consent: ConsentToCreate = {
    authorizationId: pushed.authorizationId ?? '',
    requestUri: handle,
    principalId: pushed.principalId,
    client: call.actor.client,
    email: context.email,
    mode: request.consentModeHint === 'scan' ? 'scan' : 'dashboard',
    scope: request.scope,
    payment: request.payment,
    merchantName: context.business_name,
    merchantVerified: context.merchant_listed,
    firstPurchaseAtMerchant: request.payment !== null && !context.bought_before,
    exceeds,
    expiresAt: pushed.expiresAt,
  }
  await call.platform.db.transaction(async (tx) => {
    // Spending may have been frozen since the first check; then no approval is created.
    const stop = await createConsent(tx, call, consent)
    // The agent may also have been revoked since, which waits for the same lock.
    if (!(await isActiveClient(tx, pushed.clientId))) throw buildRevokedClientError()
    const stored = stop === null ? pushed : toRefused(pushed, stop)
    const [fresh = []] = await insertPushedRequests(tx, [{ pushed: stored, keys: call.actor.replayKeys }])
    requireUnusedKeys(call, fresh)
  })
  await announceChange(call.platform, pushed.principalId)
}

function toRefused(pushed: NewPushedRequest, stop: Stop): NewPushedRequest {
  return { ...pushed, decision: 'access_denied', refusal: describeStop(stop), authorizationId: null }
}

function requireUnusedKeys(call: ClientCall, fresh: readonly string[]): void {
  requireAdmission({ active: true, fresh }, call.actor.replayKeys)
}
