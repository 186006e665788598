import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { ProtocolError } from '../../base/protocol/errors'

interface DpopChallenge {
  /** The error code of the challenge; null when no token was presented. */
  readonly error: string | null
  readonly description: string
  /** Whether the endpoint also accepts the scheme Bearer. */
  readonly takesBearer?: boolean
}

/**
 * Returns 401 with one challenge per scheme (RFC 9449 section 7.1, RFC 6750 section 3), and `invalid_token` as body.
 */
export function buildDpopChallengeError(
  { config, dpopNonces, clock }: Platform,
  { error, description, takesBearer = false }: DpopChallenge,
): ServiceError {
  const reason = error === null ? '' : `, error="${error}"`
  const realm = `realm="${config.baseUrl}"`
  const dpop = `DPoP ${realm}, algs="EdDSA Ed25519 ES256"${reason}`
  const bearer = takesBearer ? `, Bearer ${realm}${error === 'invalid_token' ? reason : ''}` : ''
  const nonce = error === 'use_dpop_nonce' ? { 'dpop-nonce': dpopNonces.current(clock.now()) } : {}
  return new ServiceError('invalid_token', description, { headers: { 'www-authenticate': dpop + bearer, ...nonce } })
}

/** The endpoint at which a token is presented; its errors name the accepted schemes. */
export interface TokenEndpoint {
  readonly platform: Platform
  /** Whether it also accepts the scheme Bearer. */
  readonly takesBearer: boolean
}

/** Returns 401 for a DPoP proof whose `jti` was consumed before. */
export function buildUsedProofError({ platform, takesBearer }: TokenEndpoint): ServiceError {
  const description = 'The DPoP proof was used before.'
  return buildDpopChallengeError(platform, { error: 'invalid_dpop_proof', description, takesBearer })
}

/** Runs a check of a token or its proof; converts its errors to the endpoint's challenge. */
export async function withTokenErrors<T>(
  { platform, takesBearer }: TokenEndpoint,
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const code = error.code === 'use_dpop_nonce' || error.code === 'invalid_dpop_proof' ? error.code : 'invalid_token'
    throw buildDpopChallengeError(platform, { error: code, description: `${error.message}.`, takesBearer })
  }
}
