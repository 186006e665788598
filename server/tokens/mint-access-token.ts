import { walletScopes } from '../contract/scopes'
import type { Platform } from '../core/platform'
import { signAccessToken } from '../protocol/access-token'
import { epochSeconds } from '../protocol/claims'
import type { Coverage } from './narrow'
import { newTokenId } from './token-id'

export interface TokenSubject {
  readonly familyId: string
  readonly clientId: string
  readonly principalId: string
  readonly jkt: string
  readonly authTime: Date
  readonly mandateId: string | null
  readonly now: Date
}

/**
 * Signs an access token in the profile of RFC 9068. Its subject is the person for wallet scopes and the agent otherwise,
 * so that one can never be taken for the other.
 */
export function mintAccessToken(platform: Platform, subject: TokenSubject, coverage: Coverage): string {
  const iat = epochSeconds(subject.now)
  const [onlyResource, ...more] = coverage.resources
  const isWallet = coverage.scope.some((name) => walletScopes.has(name))
  return signAccessToken(
    {
      iss: platform.config.baseUrl,
      sub: isWallet ? subject.principalId : subject.clientId,
      aud: onlyResource !== undefined && more.length === 0 ? onlyResource : coverage.resources,
      client_id: subject.clientId,
      jti: newTokenId(subject.familyId, platform.random),
      iat,
      exp: iat + platform.config.accessTokenTtlSeconds,
      scope: coverage.scope.join(' '),
      cnf: { jkt: subject.jkt },
      auth_time: epochSeconds(subject.authTime),
      acr: 'urn:countersign:acr:wallet',
      authorization_details: coverage.details,
      ...(subject.mandateId === null ? {} : { mandate_id: subject.mandateId }),
    },
    platform.keys.current('access_token'),
  )
}
