import type { SettlementReply, TokenRequest } from '../client/index.js'
import { tokenRequestEnd } from '../client/token.js'
import { isUndecided, Refusal } from '../errors.js'
import { EXPIRY_MARGIN_SECONDS, RETRY_FIRST_MS, SETTLE_BUDGET_MS, SETTLE_TRIES } from '../limits.js'
import { pause } from '../pause.js'
import type { PendingAt } from '../state/pending-store.js'
import { type Attempts, conclude, unknownOutcome } from './outcomes.js'
import type { PurchaseRun } from './run.js'
import { atStep } from './steps.js'

type Ordered = PendingAt<'ordered'>

/** The attempts with this key. */
interface OwnAttempts extends Attempts {
  attempted: boolean
  challenged: boolean | undefined
}

/**
 * Settles the mandate of an order. While the outcome is unknown the same key is used, also by later calls, so that the
 * mandate is charged at most once. The attempt is stored before it is made, and so is the bank's challenge that answers
 * it.
 */
export async function settleMandate(run: PurchaseRun, ordered: Ordered): Promise<SettlementReply> {
  const attempts: OwnAttempts = { attempted: ordered.attempted, challenged: ordered.challenged }
  const renewedFirst = isAccessEnding(ordered) ? await renewAccess(run, ordered, attempts) : ordered
  const current = { ...renewedFirst, attempted: true, challenged: false }
  await run.slot.write(current)
  try {
    return await settleWithRetries(run, current, attempts)
  } catch (error) {
    if (!isTokenRefused(error)) throw await conclude(run, error, attempts)
    if (current.grant.refresh_token === undefined) throw await concludeToken(run, error, attempts)
  }
  const renewed = await renewAccess(run, current, attempts)
  try {
    return await settleWithRetries(run, renewed, attempts)
  } catch (error) {
    // The token was new, so a 401 is about the mandate and final.
    throw await conclude(run, error, attempts)
  }
}

/** Repeats the settlement with the same key until there is a response, within limits of time and number. */
async function settleWithRetries(run: PurchaseRun, ordered: Ordered, attempts: OwnAttempts): Promise<SettlementReply> {
  const giveUpAt = Date.now() + SETTLE_BUDGET_MS
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await settleOnce(run, ordered)
    } catch (error) {
      if (error instanceof Refusal && error.asksCardholder) await run.slot.write({ ...ordered, challenged: true })
      if (!isUndecided(error)) throw error
      attempts.attempted = true
      attempts.challenged = false
      const wait = retryAfter(error, attempt)
      if (attempt >= SETTLE_TRIES || run.host.signal.aborted || Date.now() + wait > giveUpAt)
        throw unknownOutcome('settle', error)
      await pause(wait, run.host.signal)
    }
  }
}

function settleOnce({ client, host }: PurchaseRun, ordered: Ordered): Promise<SettlementReply> {
  const { connected_account_id: connectedAccountId, application_fee_minor: applicationFeeMinor } =
    ordered.settlement_request
  const request = {
    mandate: ordered.grant.mandate_jwt,
    idempotencyKey: ordered.idempotency_key,
    connectedAccountId,
    applicationFeeMinor,
  }
  return atStep('settle', client.settle(request, ordered.grant.access_token, host.signal))
}

const isAccessEnding = ({ grant }: Ordered): boolean =>
  grant.refresh_token !== undefined && Date.now() >= grant.access_expires_at - EXPIRY_MARGIN_SECONDS * 1000

/** Gets a new access token; the rotated refresh token is stored at once. */
async function renewAccess(run: PurchaseRun, ordered: Ordered, attempts: Attempts): Promise<Ordered> {
  const { renewal: _renewal, ...current } = ordered
  const { grant } = current
  if (grant.refresh_token === undefined) return ordered
  const request = await keepRenewal(run, ordered, grant.refresh_token)
  const tokens = await atStep('token', run.client.requestTokens(request, run.host.signal)).catch(
    async (error: unknown) => {
      throw isUndecided(error) ? error : await concludeToken(run, error, attempts)
    },
  )
  const renewed: Ordered = {
    ...current,
    grant: {
      ...grant,
      access_token: tokens.access_token,
      access_expires_at: Date.now() + tokens.expires_in * 1000,
      refresh_token: tokens.refresh_token ?? grant.refresh_token,
    },
  }
  await run.slot.write(renewed)
  return renewed
}

/**
 * Returns the request that renews the grant. It is stored before it is sent, so that it can be repeated if its response
 * is lost.
 */
async function keepRenewal(
  { client, slot }: PurchaseRun,
  ordered: Ordered,
  refreshToken: string,
): Promise<TokenRequest> {
  if (ordered.renewal !== undefined && Date.now() < tokenRequestEnd(ordered.renewal)) return ordered.renewal
  const renewal = await client.prepareRefresh(refreshToken)
  await slot.write({ ...ordered, renewal })
  return renewal
}

const isTokenRefused = (error: unknown): boolean => error instanceof Refusal && error.status === 401

/** Returns the error to report after a refused token, which says nothing about an earlier unanswered settlement. */
async function concludeToken(run: PurchaseRun, error: unknown, attempts: Attempts): Promise<unknown> {
  return attempts.attempted ? unknownOutcome('settle', error) : conclude(run, error, attempts)
}

function retryAfter(error: unknown, attempt: number): number {
  const asked = error instanceof Refusal ? error.retryAfterMs : undefined
  return asked ?? RETRY_FIRST_MS * 2 ** (attempt - 1)
}
