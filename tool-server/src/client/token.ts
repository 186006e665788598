import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { requireJwtHeader } from '../crypto/algorithms.js'
import { throwIfCancelled } from '../errors.js'
import { expectReply } from '../http/refusals.js'
import { TOKEN_REQUEST_TTL_SECONDS } from '../limits.js'
import { formBody, madeForm, type Session } from './session.js'
import { type TokenReply, tokenReply } from './wire.js'

/** A code to be redeemed. */
export interface CodeExchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/** A request for tokens to the byte, as it is kept. */
export const tokenRequest = z.strictObject({
  body: z.string(),
  idempotency_key: z.string(),
  /** Milliseconds since the epoch. */
  made_at: z.int().nonnegative(),
})

/** A request for tokens to the byte. Sent again, it gets the answer that was lost; keep it as you keep tokens. */
export type TokenRequest = z.infer<typeof tokenRequest>

/** Redeems a code. @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3} */
export function prepareExchange(session: Session, clientId: string, exchange: CodeExchange): Promise<TokenRequest> {
  return prepare(session, clientId, [
    ['grant_type', 'authorization_code'],
    ['code', exchange.code],
    ['redirect_uri', exchange.redirectUri],
    ['code_verifier', exchange.codeVerifier],
  ])
}

/** Rotates a refresh token. It never brings a new mandate. @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6} */
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

/** When the request can be sent no more, since the assertion in it ends. */
export const tokenRequestEnd = (request: TokenRequest): number => request.made_at + TOKEN_REQUEST_TTL_SECONDS * 1000

/** Sends the request. Once sent it may have issued tokens, which only its answer names: that is read to its end. */
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
  // A repeated answer is that of the first time.
  const age = Math.floor((Date.now() - request.made_at) / 1000)
  return { ...tokens, expires_in: tokens.expires_in - age }
}
