import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { requireJwtHeader } from '../crypto/algorithms.js'
import { throwIfCancelled } from '../errors.js'
import { expectReply } from '../http/refusals.js'
import { TOKEN_REQUEST_TTL_SECONDS } from '../limits.js'
import { formBody, madeForm, type Session } from './session.js'
import { type TokenReply, tokenReply } from './wire.js'

/** A code to redeem. */
export interface CodeExchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/** A prepared token request as stored, byte for byte. */
export const tokenRequest = z.strictObject({
  body: z.string(),
  idempotency_key: z.string(),
  /** Milliseconds since the epoch. */
  made_at: z.int().nonnegative(),
})

/**
 * A prepared token request, byte for byte. Sent again, it returns the response that was lost; store it as safely as
 * tokens.
 */
export type TokenRequest = z.infer<typeof tokenRequest>

/** Prepares the redemption of a code. @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3} */
export function prepareExchange(session: Session, clientId: string, exchange: CodeExchange): Promise<TokenRequest> {
  return prepare(session, clientId, [
    ['grant_type', 'authorization_code'],
    ['code', exchange.code],
    ['redirect_uri', exchange.redirectUri],
    ['code_verifier', exchange.codeVerifier],
  ])
}

/**
 * Prepares a refresh, which rotates the refresh token and never brings a new mandate.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6}
 */
export function prepareRefresh(session: Session, clientId: string, refreshToken: string): Promise<TokenRequest> {
  return prepare(session, clientId, [
    ['grant_type', 'refresh_token'],
    ['refresh_token', refreshToken],
  ])
}

async function prepare(
  session: Session,
  clientId: string,
  grant: readonly (readonly [string, string])[],
): Promise<TokenRequest> {
  const authentication = await session.clientAuthentication(clientId, TOKEN_REQUEST_TTL_SECONDS)
  const { text } = formBody([...Object.entries(authentication), ...grant])
  return { body: text, idempotency_key: randomUUID(), made_at: Date.now() }
}

/** Returns when the client assertion in the request expires, in milliseconds since the epoch. */
export const tokenRequestEnd = (request: TokenRequest): number => request.made_at + TOKEN_REQUEST_TTL_SECONDS * 1000

/** Sends the request. Not cancelled once it is sent: it may have issued tokens, which only the response contains. */
export async function requestTokens(
  session: Session,
  request: TokenRequest,
  signal?: AbortSignal,
): Promise<TokenReply> {
  throwIfCancelled(signal)
  const reply = await session.prove({
    path: '/oauth/token',
    headers: { 'idempotency-key': request.idempotency_key },
    body: async () => madeForm(request.body),
  })
  const tokens = expectReply(reply, { step: 'token', schema: tokenReply })
  requireJwtHeader(tokens.access_token, { type: 'at+jwt', what: 'access token' })
  // A repeated request gets the first response, so its tokens are as old as that.
  const age = Math.floor((Date.now() - request.made_at) / 1000)
  return { ...tokens, expires_in: tokens.expires_in - age }
}
