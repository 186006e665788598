import { walletScopes } from '../../base/contract/scopes'
import { type Authentication, acrValue } from '../../base/core/authentication'
import type { Platform } from '../../base/core/platform'
import { type AccessTokenClaims, signAccessToken } from '../../base/protocol/access-token'
import { epochSeconds } from '../../base/protocol/claims'
import type { Coverage } from './narrow'
import { shortDetails } from './short-details'
import { newTokenId } from './token-id'

/** The size from which a token has its line items in short form. */
const WHOLE_TOKEN_BYTES = 4 * 1024

export interface TokenSubject extends Authentication {
  readonly familyId: string
  readonly clientId: string
  readonly principalId: string
  readonly jkt: string
  readonly mandateId: string | null
  readonly familyExpiresAt: Date
  readonly now: Date
}

/**
 * Signs an access token in the profile of RFC 9068. Its subject is the person for wallet scopes and the agent otherwise,
 * so that they cannot be confused. It never expires later than its family.
 */
export function mintAccessToken(platform: Platform, subject: TokenSubject, coverage: Coverage) {
  const iat = epochSeconds(subject.now)
  const familyEnd = Math.ceil(subject.familyExpiresAt.getTime() / 1000)
  const exp = Math.min(iat + platform.config.accessTokenTtlSeconds, familyEnd)
  const [onlyResource, ...more] = coverage.resources
  const isWallet = coverage.scope.some((name) => walletScopes.has(name))
  const claims = {
    iss: platform.config.baseUrl,
    sub: isWallet ? subject.principalId : subject.clientId,
    aud: onlyResource !== undefined && more.length === 0 ? onlyResource : coverage.resources,
    client_id: subject.clientId,
    jti: newTokenId(subject.familyId, platform.random),
    iat,
    exp,
    scope: coverage.scope.join(' '),
    cnf: { jkt: subject.jkt },
    auth_time: epochSeconds(subject.authTime),
    acr: acrValue(subject.acr),
    ...(subject.mandateId === null ? {} : { mandate_id: subject.mandateId }),
  }
  return { access_token: sign(platform, claims, coverage.details), expires_in: exp - iat }
}

/** Signs the token with its full details, or in short form if it would otherwise be too large for a header. */
function sign(platform: Platform, claims: AccessTokenClaims, details: Coverage['details']): string {
  const key = platform.keys.current('access_token')
  const whole = signAccessToken({ ...claims, authorization_details: details }, key)
  if (whole.length < WHOLE_TOKEN_BYTES) return whole
  return signAccessToken({ ...claims, authorization_details: shortDetails(details) }, key)
}
