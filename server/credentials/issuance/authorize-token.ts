import { parseCredentials } from '../../base/contract/credentials'
import type { AnonymousCall, ReplayKey } from '../../base/core/call'
import type { ServiceError } from '../../base/core/errors'
import type { Platform, Transaction } from '../../base/core/platform'
import { consumeReplayKeysSql, replayKeyOf } from '../../oauth/clients'
import { buildDpopChallengeError, buildUsedProofError, verifyToken, verifyTokenProof } from '../../oauth/tokens'
import { issueCredentialEndpoint } from './contract'

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
  const endpoint = { platform, takesBearer: false }
  const claims = await verifyToken(endpoint, token, now)
  const { method, path } = issueCredentialEndpoint
  const request = { proof: dpop ?? null, method, uri: platform.config.baseUrl + path, now }
  const proof = await verifyTokenProof(endpoint, request, { token, claims })
  return { tokenId: claims.jti, replayKey: replayKeyOf(proof) }
}

/** Consumes the DPoP proof, in the transaction that it authorizes. */
export async function consumeDpopProof(tx: Transaction, platform: Platform, key: ReplayKey): Promise<void> {
  const fresh = await tx.query(consumeReplayKeysSql([key]))
  if (fresh.length === 0) throw buildUsedProofError({ platform, takesBearer: false })
}

/** Builds the 401 for a token that is not for a credential, or no longer. */
export function buildTokenError(platform: Platform): ServiceError {
  const description = 'The token is not for a credential, or has been revoked.'
  return buildDpopChallengeError(platform, { error: 'invalid_token', description })
}
