import type { ClientCall } from '../core/call'
import { ServiceError } from '../core/errors'
import type { TokenParameters } from './contract'
import { redeemAuthorizationCode } from './redeem-code'
import { rotateRefresh } from './rotate-refresh'

/** POST /oauth/token: the two grants that agents use (RFC 6749 sections 4.1.3 and 6). */
export async function issueTokens(call: ClientCall, input: TokenParameters) {
  const { grant_type: grantType } = input
  if (grantType === undefined) throw new ServiceError('invalid_request', 'grant_type is required.')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new ServiceError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  }
  if (!call.actor.client.grantTypes.includes(grantType)) {
    throw new ServiceError('unauthorized_client', 'The client did not register for this grant.')
  }
  return grantType === 'authorization_code' ? redeemAuthorizationCode(call, input) : rotateRefresh(call, input)
}
