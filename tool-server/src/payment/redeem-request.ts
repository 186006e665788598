import type { AuthorizeOutcome, TokenReply, TokenRequest } from '../client/index.js'
import { tokenRequestEnd } from '../client/token.js'
import { Cancelled, CountersignError, isUndecided, Refusal } from '../errors.js'
import { CODE_TTL_MS, MAGIC_LINK_TTL_MS, UNSETTLED_KEEP_MS } from '../limits.js'
import type { Grant, PendingAt } from '../state/pending-store.js'
import { confirmationNote, remainingTime } from './approval.js'
import { toRefusal } from './decline.js'
import { awaitRedirect, isLoopbackRedirect } from './loopback-redirect.js'
import { reportProgress } from './progress.js'
import type { PurchaseRun, Step } from './run.js'
import { consentDeadline, stepUp } from './step-up.js'
import { atStep } from './steps.js'

/** Redeems an approved request for a code; the person may first have to confirm it by e-mail. */
export async function redeemRequest(run: PurchaseRun, pending: PendingAt<'consent'>): Promise<Step> {
  const outcome = await authorizeRequest(run, pending)
  if (outcome.kind !== 'confirmation_sent') return takeCode(run, pending, outcome)
  if (!isLoopbackRedirect(run.order.redirectUri)) {
    throw new CountersignError(
      'authorize failed: the user must confirm by e-mail',
      'This user has switched on confirmation by e-mail, which ends in the browser and not here. Nothing was paid.',
    )
  }
  const { needs_person: _person, ...request } = pending
  return { next: { ...request, stage: 'confirming', expires_at: Date.now() + MAGIC_LINK_TTL_MS } }
}

/** Redeems the request at the authorization server, which uses it up. */
export function authorizeRequest(
  { client, order, host }: PurchaseRun,
  { request_uri: requestUri, state }: PendingAt<'consent'>,
): Promise<AuthorizeOutcome> {
  const request = { requestUri, redirectUri: order.redirectUri, state }
  return atStep('authorize', client.authorize(request, host.signal))
}

/**
 * Waits at the redirect URI for the person's browser after the mailed confirmation. A later call waits again, and no
 * further mail is sent while the link is valid.
 */
export async function awaitConfirmation(run: PurchaseRun, pending: PendingAt<'confirming'>): Promise<Step> {
  const { client, host, order, redirects } = run
  if (pending.expires_at <= Date.now()) return { next: null }
  const until = Math.min(consentDeadline(run), pending.expires_at)
  const waiting = () =>
    `Waiting for the confirmation by e-mail — ${remainingTime(pending.expires_at - Date.now())} left`
  const stopProgress = reportProgress(host, { until, first: waiting(), later: waiting })
  try {
    const outcome = await awaitRedirect(
      { redirectUri: order.redirectUri, state: pending.state, issuer: client.issuer },
      { signal: host.signal, until, redirects },
    )
    if (outcome !== null) return takeCode(run, pending, outcome)
  } finally {
    stopProgress()
  }
  if (host.signal.aborted) throw new Cancelled()
  return { pausedAnswer: stepUp(pending.request_uri, confirmationNote(pending.expires_at)) }
}

type Answered = Exclude<AuthorizeOutcome, { kind: 'confirmation_sent' }>

function takeCode(run: PurchaseRun, pending: PendingAt<'consent' | 'confirming'>, outcome: Answered): Step {
  if (outcome.kind === 'error') return { answer: toRefusal(outcome, run.client.issuer) }
  const issuedAt = Date.now()
  return {
    next: {
      stage: 'coded',
      request_uri: pending.request_uri,
      code: outcome.code,
      code_verifier: pending.code_verifier,
      idempotency_key: pending.idempotency_key,
      issued_at: issuedAt,
      expires_at: issuedAt + CODE_TTL_MS,
    },
  }
}

/**
 * Redeems the code for tokens and the mandate. When an earlier call's code is no longer valid, a new request begins.
 */
export async function redeemCode(run: PurchaseRun, coded: PendingAt<'coded'>): Promise<Step> {
  const { client, host, slot, startedAt } = run
  let tokens: TokenReply
  try {
    tokens = await atStep('token', client.requestTokens(await keepRedemption(run, coded), host.signal))
  } catch (error) {
    if (!(error instanceof Refusal) || error.isTransient) throw error
    if (coded.issued_at < startedAt) return { next: null }
    await slot.remove()
    throw error
  }
  const grant = await verifyGrant(run, tokens).catch(async (error: unknown) => {
    // A repeated request would get the same tokens and mandate.
    if (!isUndecided(error)) await slot.remove()
    throw error
  })
  return {
    next: {
      stage: 'approved',
      request_uri: coded.request_uri,
      grant,
      idempotency_key: coded.idempotency_key,
      attempted: false,
      expires_at: Date.now() + UNSETTLED_KEEP_MS,
    },
  }
}

/**
 * Returns the request that redeems the code. It is stored before it is sent, so that it can be repeated if its response
 * is lost.
 */
async function keepRedemption({ client, order, slot }: PurchaseRun, coded: PendingAt<'coded'>): Promise<TokenRequest> {
  if (coded.redemption !== undefined) return coded.redemption
  const { code, code_verifier: codeVerifier } = coded
  const redemption = await client.prepareExchange({ code, redirectUri: order.redirectUri, codeVerifier })
  await slot.write({ ...coded, redemption, expires_at: tokenRequestEnd(redemption) })
  return redemption
}

async function verifyGrant({ client, order, host }: PurchaseRun, tokens: TokenReply): Promise<Grant> {
  if (tokens.mandate_jwt === undefined) throw new CountersignError('declined: no mandate issued')
  const { merchant, amountMinor, currency } = order
  const expected = { merchant, amountMinor, currency }
  const mandate = await atStep('token', client.verifyMandate(tokens.mandate_jwt, expected, host.signal))
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
