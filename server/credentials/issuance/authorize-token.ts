import { parseCredentials } from '../../base/contract/credentials'
import type { AnonymousCall, ReplayKey } from '../../base/core/call'
import type { ServiceError } from '../../base/core/errors'
import type { Platform, Transaction } from '../../base/core/platform'
import { verifyAccessToken } from '../../base/protocol/access-token'
import { verifyDpopProof } from '../../base/protocol/dpop'
import { consumeReplayKeysSql, replayKey } from '../../oauth/clients'
import { buildDpopChallengeError, withTokenErrors } from '../../oauth/tokens'

/** The headers of a request with an access token. */
export interface TokenHeaders {
  readonly authorization: string | undefined
  readonly dpop: string | undefined
}

/** An access token of this server with its DPoP proof. The offer decides whether it is for a credential. */
interface PresentedToken {
  readonly tokenId: string
  readonly replayKey: ReplayKey
}

const PATH = '/oid4vci/credential'

/** Verifies an access token and its DPoP proof (RFC 9449 section 7.1). 401 invalid_token with a challenge. */
export async function authorizeToken(
  { platform, now }: AnonymousCall,
  { authorization, dpop }: TokenHeaders,
): Promise<PresentedToken> {
  if (authorization === undefined) {
    throw buildDpopChallengeError(platform, { error: null, description: 'A code or an access token is required.' })
  }
  const credentials = parseCredentials(authorization)
  if (credentials?.scheme !== 'dpop') {
    const description = 'Present the token with the DPoP scheme.'
    throw buildDpopChallengeError(platform, { error: 'invalid_token', description })
  }
  const { token } = credentials
  const { baseUrl } = platform.config
  const findKey = (kid: string) => platform.keys.find('access_token', kid)
  return withTokenErrors(platform, async () => {
    const claims = verifyAccessToken(token, { issuer: baseUrl, now, findKey })
    const proof = await verifyDpopProof(dpop ?? null, {
      method: 'POST',
      uri: baseUrl + PATH,
      now,
      accessToken: token,
      boundKey: claims.cnf.jkt,
      nonceRequired: false,
      isNonceValid: (nonce) => platform.dpopNonces.isValid(nonce, now),
    })
    const key = replayKey('dpop', proof.jkt, proof.jti)
    return { tokenId: claims.jti, replayKey: { kind: 'dpop', key, expiresAt: proof.replayUntil } }
  })
}

/** Consumes the DPoP proof, in the transaction that it authorizes. */
export async function consumeDpopProof(tx: Transaction, platform: Platform, key: ReplayKey): Promise<void> {
  const fresh = await tx.query(consumeReplayKeysSql([key]))
  if (fresh.length > 0) return
  const description = 'The DPoP proof was used before.'
  throw buildDpopChallengeError(platform, { error: 'invalid_dpop_proof', description })
}

/** Builds the 401 for a token that is not for a credential, or no longer. */
export function buildTokenError(platform: Platform): ServiceError {
  const description = 'The token is not for a credential, or has been revoked.'
  return buildDpopChallengeError(platform, { error: 'invalid_token', description })
}
