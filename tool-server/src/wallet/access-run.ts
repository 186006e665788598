import type { AuthorizationAnswer } from '../client/authorize.js'
import type { CountersignClient, TokenReply, TokenRequest } from '../client/index.js'
import { tokenRequestEnd } from '../client/token.js'
import { CountersignError, Refusal } from '../errors.js'
import { CODE_TTL_MS, CONSENT_POLL_DEFAULT_SECONDS, CONSENT_POLL_MAX_MS } from '../limits.js'
import type { Host } from '../payment/host.js'
import { atStep } from '../payment/steps.js'
import type { RedirectStore } from '../state/redirect-store.js'
import type { SessionAt, SessionSlot } from '../state/session-store.js'
import type { WalletScope } from './access-words.js'

/** A request for access to a wallet. */
export interface AccessRequest {
  readonly client: CountersignClient
  readonly scope: WalletScope
  readonly resource: string
  readonly redirectUri: string
}

/** One call that asks for access while it holds the record's lock. */
export interface AccessRun extends AccessRequest {
  readonly host: Host
  readonly slot: SessionSlot
  readonly redirects: RedirectStore
  /** Milliseconds since the epoch. */
  readonly deadline: number
}

/** Returns when a call stops waiting: only a host that takes progress messages keeps waiting for long. */
export const accessDeadline = (host: Host, startedAt: number): number =>
  startedAt + (host.progress === undefined ? CONSENT_POLL_DEFAULT_SECONDS * 1000 : CONSENT_POLL_MAX_MS)

/**
 * Redeems the authorization server's response for tokens. A code is stored first, since the response with the tokens
 * may be lost.
 */
export async function exchangeAnswer(
  run: AccessRun,
  codeVerifier: string,
  answer: AuthorizationAnswer,
): Promise<TokenReply> {
  if (answer.kind === 'error') {
    await run.slot.remove()
    throw new CountersignError(`authorize failed: ${answer.error}`)
  }
  const now = Date.now()
  const { code } = answer
  const coded = {
    stage: 'coded',
    code,
    code_verifier: codeVerifier,
    issued_at: now,
    expires_at: now + CODE_TTL_MS,
  } as const
  await run.slot.write(coded)
  return redeemKept(run, coded)
}

/** Redeems a stored code. After a refusal it is deleted; after any other failure it stays for the identical call. */
export async function redeemKept(run: AccessRun, coded: SessionAt<'coded'>): Promise<TokenReply> {
  const { client, host, slot } = run
  try {
    const tokens = await atStep('token', client.requestTokens(await keepRedemption(run, coded), host.signal))
    await slot.remove()
    return tokens
  } catch (error) {
    if (error instanceof Refusal && !error.isTransient) await slot.remove()
    throw error
  }
}

/**
 * Returns the request that redeems the code. It is stored before it is sent, so that it can be repeated if its response
 * is lost.
 */
async function keepRedemption(
  { client, redirectUri, slot }: AccessRun,
  coded: SessionAt<'coded'>,
): Promise<TokenRequest> {
  if (coded.redemption !== undefined) return coded.redemption
  const { code, code_verifier: codeVerifier } = coded
  const redemption = await client.prepareExchange({ code, redirectUri, codeVerifier })
  await slot.write({ ...coded, redemption, expires_at: tokenRequestEnd(redemption) })
  return redemption
}
