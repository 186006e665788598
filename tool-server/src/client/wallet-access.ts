import { decodeJwt } from 'jose'
import type { OutboundReply } from '../http/outbound.js'
import { isJsonObject } from '../json.js'
import type { ProvenRequest, Session } from './session.js'

/** The wallet-session token under which a person's own data is read or changed. */
export interface WalletAccess {
  readonly accessToken: string
}

/**
 * Sends a request with the person's token: with a proof when it is bound to this client's DPoP key, otherwise as bearer
 * token.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-7.1}
 */
export function sendWithToken(
  session: Session,
  { accessToken }: WalletAccess,
  request: Omit<ProvenRequest, 'accessToken' | 'body'>,
): Promise<OutboundReply> {
  if (boundKey(accessToken) === session.dpopKey.thumbprint) return session.prove({ ...request, accessToken })
  const { method = 'POST', headers, ...rest } = request
  return session.send({ ...rest, method, headers: { ...headers, authorization: `Bearer ${accessToken}` } })
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc7800#section-3.1} */
function boundKey(accessToken: string): unknown {
  try {
    const { cnf } = decodeJwt(accessToken)
    return isJsonObject(cnf) ? cnf['jkt'] : undefined
  } catch {
    return undefined
  }
}
