import { checkJwtHeader } from '../crypto/algorithms.js'
import { expectReply } from '../http/refusals.js'
import { formBody, type Session } from './session.js'
import { type TokenReply, tokenReply } from './wire.js'

/** A code to be redeemed. */
export interface CodeExchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/** Redeems a code. @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3} */
export function exchangeCode(
  session: Session,
  clientId: string,
  call: { readonly exchange: CodeExchange; readonly signal?: AbortSignal | undefined },
): Promise<TokenReply> {
  const { exchange, signal } = call
  const grant = [
    ['grant_type', 'authorization_code'],
    ['code', exchange.code],
    ['redirect_uri', exchange.redirectUri],
    ['code_verifier', exchange.codeVerifier],
  ] as const
  return requestToken(session, clientId, { grant, signal })
}

/** Rotates a refresh token. It never brings a new mandate. @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6} */
export function refresh(
  session: Session,
  clientId: string,
  call: { readonly refreshToken: string; readonly signal?: AbortSignal | undefined },
): Promise<TokenReply> {
  const grant = [
    ['grant_type', 'refresh_token'],
    ['refresh_token', call.refreshToken],
  ] as const
  return requestToken(session, clientId, { grant, signal: call.signal })
}

async function requestToken(
  session: Session,
  clientId: string,
  call: { readonly grant: readonly (readonly [string, string])[]; readonly signal?: AbortSignal | undefined },
): Promise<TokenReply> {
  const reply = await session.prove({
    path: '/oauth/token',
    signal: call.signal,
    body: async () => formBody([...Object.entries(await session.clientAuthentication(clientId)), ...call.grant]),
  })
  const tokens = expectReply(reply, { step: 'token', schema: tokenReply })
  checkJwtHeader(tokens.access_token, { type: 'at+jwt', what: 'access token' })
  return tokens
}
