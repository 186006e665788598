import type * as z from 'zod'
import { Cancelled, CountersignError, Refusal, TransportFailure } from '../errors.js'
import type { OutboundReply } from '../http/outbound.js'
import { describeRefusal, expectReply } from '../http/refusals.js'
import type { WalletScope } from './access-words.js'
import { sessionRequired, sessionScopeError } from './principal-token.js'
import { scopeError } from './registrations.js'

/** The schema of a response, and the scope that it needs. */
export interface ExpectedAnswer<T> {
  readonly schema: z.ZodType<T>
  readonly scope: WalletScope
}

/** Returns the response to a tool that manages agents; throws `<status> <code>`, or the scope that is missing. */
export function expectWalletAnswer<T>(reply: OutboundReply, { schema, scope }: ExpectedAnswer<T>): T {
  const refusal = describeRefusal(reply, true)
  if (refusal.status === 403 && refusal.code === 'insufficient_scope') throw scopeError(scope)
  if (refusal.status === 429) throw new CountersignError('429 rate_limited', waitNote(refusal.retryAfterMs))
  return expectReply(reply, { step: '', schema })
}

/** Returns the response to a tool with a `principal_token`; otherwise throws, with the messages of these tools. */
export function expectPrincipalAnswer<T>(reply: OutboundReply, expected: ExpectedAnswer<T>): T {
  const { status, code, retryAfterMs } = describeRefusal(reply, true)
  if (status === 401) throw sessionRequired()
  if (status === 403 && code === 'principal_mismatch') {
    throw new CountersignError('principal_id mismatch (403 principal_mismatch)')
  }
  if (status === 403 && code === 'insufficient_scope') throw sessionScopeError(expected.scope)
  if (status === 429) throw new CountersignError('rate limited (429)', waitNote(retryAfterMs))
  return expectWalletAnswer(reply, expected)
}

function waitNote(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return 'Try again later.'
  return `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.`
}

/** Returns whether the request may have had its effect although it failed. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof TransportFailure || error instanceof Cancelled || (error instanceof Refusal && error.status >= 500)
