import type { AuthorizationAnswer } from '../client/authorize.js'
import type { CountersignClient, TokenReply } from '../client/index.js'
import { CountersignError } from '../errors.js'
import { CONSENT_POLL_DEFAULT_SECONDS, CONSENT_POLL_MAX_MS } from '../limits.js'
import type { Host } from '../payment/host.js'
import { atStep } from '../payment/steps.js'
import type { SessionSlot } from '../state/session-store.js'
import type { WalletScope } from './access-words.js'

/** Access to a wallet, and how it is asked for. */
export interface AccessRequest {
  readonly client: CountersignClient
  readonly scope: WalletScope
  readonly resource: string
  readonly redirectUri: string
}

/** One call that asks for access, while it holds the slot. */
export interface AccessRun extends AccessRequest {
  readonly host: Host
  readonly slot: SessionSlot
  /** Milliseconds since the epoch. */
  readonly deadline: number
}

/** When a call that began now stops waiting: only a host that takes progress can be kept waiting for long. */
export const accessDeadline = (host: Host, startedAt: number): number =>
  startedAt + (host.progress === undefined ? CONSENT_POLL_DEFAULT_SECONDS * 1000 : CONSENT_POLL_MAX_MS)

/** Redeems what the authorization server answered for tokens. */
export async function exchangeAnswer(
  { client, host, redirectUri }: AccessRun,
  codeVerifier: string,
  answer: AuthorizationAnswer,
): Promise<TokenReply> {
  if (answer.kind === 'error') throw new CountersignError(`authorize failed: ${answer.error}`)
  return atStep('token', client.exchangeCode({ code: answer.code, redirectUri, codeVerifier }, host.signal))
}
