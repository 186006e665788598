import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { TokenReply } from '../client/index.js'
import { CountersignError } from '../errors.js'
import { CONSENT_POLL_DEFAULT_SECONDS, UNSETTLED_KEEP_MS } from '../limits.js'
import type { Grant, PendingAt } from '../state/pending-store.js'
import { describeApproval, stepUpNote } from './approval.js'
import { awaitConsent, type ConsentOutcome } from './consent.js'
import type { Order } from './order.js'
import type { PayAnswer } from './pay-result.js'
import type { PurchaseRun, Step } from './run.js'

/** The server keeps a request this long when nobody has to be asked. */
const UNATTENDED_EXPIRES_IN_SECONDS = 60
const PAYMENT_DETAILS_TYPE = 'oid4ac_mandate'
const SETTLEMENT_SCOPE = 'payment:execute'

/** Pushes the order as a request for a mandate. */
export async function requestMandate(run: PurchaseRun): Promise<Step> {
  const { client, order, wish, host } = run
  const codeVerifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const pushed = await client.pushAuthorizationRequest(
    {
      redirectUri: order.redirectUri,
      scope: scopeOf(order),
      resources: [order.merchant],
      authorizationDetails: [toAuthorizationDetails(order)],
      codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      state,
      consentModeHint: wish.hint,
    },
    host.signal,
  )
  const next: PendingAt<'consent'> = {
    stage: 'consent',
    request_uri: pushed.request_uri,
    code_verifier: codeVerifier,
    state,
    needs_person: pushed.expires_in > UNATTENDED_EXPIRES_IN_SECONDS,
    idempotency_key: randomUUID(),
    expires_at: Date.now() + pushed.expires_in * 1000,
  }
  return { next }
}

/** Waits for the decision, and redeems it. */
export async function awaitApproval(run: PurchaseRun, pending: PendingAt<'consent'>): Promise<Step> {
  const { client, host, order } = run
  const request = { issuer: client.issuer, requestUri: pending.request_uri, expiresAt: pending.expires_at }
  const approval = describeApproval(order, request)
  const outcome: ConsentOutcome = await awaitConsent({
    client,
    host,
    approval,
    requestUri: pending.request_uri,
    needsPerson: pending.needs_person,
    until: Math.min(consentDeadline(run), pending.expires_at),
  })
  switch (outcome) {
    case 'approved':
      return redeem(run, pending)
    case 'declined':
      return { answer: await declinedByServer(run, pending) }
    case 'refused':
      return { answer: declined('consent_denied') }
    case 'gone':
      return { next: null }
    case 'dismissed':
    case 'undecided':
      return { pausedAnswer: stepUp(pending.request_uri, stepUpNote(approval)) }
  }
}

/** When this call stops waiting for the person. Only a host that takes progress can be kept waiting for long. */
export function consentDeadline({ host, wish, startedAt }: Pick<PurchaseRun, 'host' | 'wish' | 'startedAt'>): number {
  const wished = wish.timeoutSeconds ?? CONSENT_POLL_DEFAULT_SECONDS
  const seconds = host.progress === undefined ? Math.min(wished, CONSENT_POLL_DEFAULT_SECONDS) : wished
  return startedAt + seconds * 1000
}

/** Not decided yet, which is no failure. */
export const stepUp = (requestUri: string, note: string): PayAnswer => ({
  result: { status: 'step_up_required', request_uri: requestUri },
  note,
})

async function redeem(run: PurchaseRun, pending: PendingAt<'consent'>): Promise<Step> {
  const { client, host, order } = run
  const outcome = await client.authorize(
    { requestUri: pending.request_uri, redirectUri: order.redirectUri, state: pending.state },
    host.signal,
  )
  if (outcome.kind === 'confirmation_sent') {
    throw new CountersignError(
      'authorize failed: the user must confirm by e-mail',
      'This user has switched on confirmation by e-mail, which ends in the browser and not here. Nothing was paid.',
    )
  }
  if (outcome.kind === 'error') return { answer: toRefusal(outcome.error, client.issuer) }
  const tokens = await client.exchangeCode(
    { code: outcome.code, redirectUri: order.redirectUri, codeVerifier: pending.code_verifier },
    host.signal,
  )
  return {
    next: {
      stage: 'approved',
      request_uri: pending.request_uri,
      grant: await checkGrant(run, tokens),
      idempotency_key: pending.idempotency_key,
      attempted: false,
      expires_at: Date.now() + UNSETTLED_KEEP_MS,
    },
  }
}

async function checkGrant({ client, order, host }: PurchaseRun, tokens: TokenReply): Promise<Grant> {
  if (tokens.mandate_jwt === undefined) throw new CountersignError('declined: no mandate issued')
  const { merchant, amountMinor, currency } = order
  const mandate = await client.verifyMandate(tokens.mandate_jwt, { merchant, amountMinor, currency }, host.signal)
  return {
    mandate_jwt: tokens.mandate_jwt,
    mandate_id: tokens.mandate_id ?? mandate.mandateId,
    mandate_audience: mandate.audience,
    mandate_expires_at: mandate.expiresAt * 1000,
    access_token: tokens.access_token,
    access_expires_at: Date.now() + tokens.expires_in * 1000,
    refresh_token: tokens.refresh_token,
  }
}

/** A request that was declined is redeemed as well: that ends it, and tells why when no person was asked. */
async function declinedByServer(
  { client, host, order }: PurchaseRun,
  pending: PendingAt<'consent'>,
): Promise<PayAnswer> {
  if (pending.needs_person) return declined('consent_denied')
  const { request_uri: requestUri, state } = pending
  const outcome = await client.authorize({ requestUri, redirectUri: order.redirectUri, state }, host.signal)
  return outcome.kind === 'error' ? toRefusal(outcome.error, client.issuer) : declined('access_denied')
}

/** Errors that are no decision about the payment. */
const NO_DECISION = /^(?:consent_required|server_error|temporarily_unavailable|invalid_.*)$/

function toRefusal(error: string, issuer: string): PayAnswer {
  if (NO_DECISION.test(error)) throw new CountersignError(`authorize failed: ${error}`, 'Nothing was paid.')
  if (error !== 'setup_required') return declined(error)
  return {
    result: { status: 'setup_required' },
    note: `Not paid. The user must first add a card at ${issuer}/cards. Then call this tool again.`,
  }
}

const declined = (code: string): PayAnswer => ({
  result: { status: 'declined', error: { code } },
  note:
    code === 'consent_denied'
      ? 'declined: no mandate issued. The user said no. This is final: do not try again or split the amount.'
      : 'declined: no mandate issued. This is final: do not try again or split the amount.',
})

/** Where the agent settles itself, it needs the scope to. */
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
