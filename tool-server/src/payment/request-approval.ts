import { randomUUID } from 'node:crypto'
import type { AuthorizeOutcome } from '../client/index.js'
import { CountersignError, isUndecided } from '../errors.js'
import type { PendingAt } from '../state/pending-store.js'
import { approvalRequest, describeApproval, stepUpNote } from './approval.js'
import { awaitConsent, type ConsentOutcome } from './consent.js'
import { declinedByPerson, declinedByRule, toRefusal } from './decline.js'
import type { Order } from './order.js'
import type { PayAnswer } from './pay-result.js'
import { pushForConsent } from './push-for-consent.js'
import { authorizeRequest, redeemRequest } from './redeem-request.js'
import type { PurchaseRun, Step } from './run.js'
import { consentDeadline, stepUp } from './step-up.js'
import { atStep } from './steps.js'

const PAYMENT_DETAILS_TYPE = 'oid4ac_mandate'
const SETTLEMENT_SCOPE = 'payment:execute'

/** Pushes the order as a request for a mandate. */
export async function requestMandate(run: PurchaseRun): Promise<Step> {
  const { order, approvalOptions } = run
  const request = {
    redirectUri: order.redirectUri,
    scope: scopeOf(order),
    resources: [order.merchant],
    authorizationDetails: [toAuthorizationDetails(order)],
    consentModeHint: approvalOptions.hint,
  }
  const pushing = atStep('PAR', pushForConsent(run, request))
  const pushed = await pushing.catch(async (error: unknown) => {
    // The chosen item's purchase ends, so that an identical call chooses again.
    if (!isUndecided(error)) await run.slot.remove()
    throw error
  })
  const next: PendingAt<'consent'> = { stage: 'consent', ...pushed, idempotency_key: randomUUID() }
  return { next }
}

/** Waits for the decision, and redeems an approved request. */
export async function awaitApproval(run: PurchaseRun, pending: PendingAt<'consent'>): Promise<Step> {
  const { client, host, order } = run
  const request = { issuer: client.issuer, requestUri: pending.request_uri, expiresAt: pending.expires_at }
  const approval = describeApproval(order, request)
  const outcome: ConsentOutcome = await awaitConsent({
    client,
    host,
    approval,
    question: approvalRequest(approval),
    requestUri: pending.request_uri,
    needsPerson: pending.needs_person,
    until: Math.min(consentDeadline(run), pending.expires_at),
  })
  switch (outcome) {
    case 'approved':
      return redeemRequest(run, pending)
    case 'declined':
      return { answer: await declinedByServer(run, pending) }
    case 'refused':
      return { answer: await declinedInHost(run, pending) }
    case 'gone':
      return { next: null }
    case 'dismissed':
    case 'undecided':
      return { pausedAnswer: stepUp(pending.request_uri, stepUpNote(approval)) }
  }
}

/** Redeems a declined request: that ends it, and the response says whether the person or a rule declined it. */
async function declinedByServer(run: PurchaseRun, pending: PendingAt<'consent'>): Promise<PayAnswer> {
  const outcome = await endRequest(run, pending)
  if (outcome?.kind === 'error') return toRefusal(outcome, run.client.issuer)
  return pending.needs_person ? declinedByPerson() : declinedByRule()
}

/** Ends a request that the person declined in the host, so that it cannot be approved at the server later. */
async function declinedInHost(run: PurchaseRun, pending: PendingAt<'consent'>): Promise<PayAnswer> {
  await endRequest(run, pending)
  return declinedByPerson()
}

/** Redeems the request and returns the response; null when none arrived, which does not change the decision. */
async function endRequest(run: PurchaseRun, pending: PendingAt<'consent'>): Promise<AuthorizeOutcome | null> {
  try {
    return await authorizeRequest(run, pending)
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}

/** Returns the scope of the request; an agent that settles itself also needs the settlement scope. */
function scopeOf({ scope, route }: Order): string {
  const scopes = scope.split(' ').filter((name) => name !== '')
  return route.kind === 'base_api' ? [...new Set([...scopes, SETTLEMENT_SCOPE])].join(' ') : scopes.join(' ')
}

function toAuthorizationDetails(order: Order): Record<string, unknown> {
  return {
    type: PAYMENT_DETAILS_TYPE,
    merchant: order.merchant,
    amount_minor: order.amountMinor,
    currency: order.currency,
    line_items: order.lineItems,
    offer_id: order.offerId,
    offer_digest: order.offerDigest,
  }
}
