import { parseCredentials } from '../../base/contract/credentials'
import type { AnonymousCall, ReplayKey } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform, Transaction } from '../../base/core/platform'
import { verifyAccessToken } from '../../base/protocol/access-token'
import { verifyDpopProof } from '../../base/protocol/dpop'
import { ProtocolError } from '../../base/protocol/errors'
import { consumeReplayKeysSql, replayKey } from '../../oauth/clients'

/** The headers of a request with an access token. */
export interface TokenHeaders {
  readonly authorization: string | undefined
  readonly dpop: string | undefined
}

/** An access token of ours with its key's proof. Whether it is one for a credential is for the offer to say. */
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
  if (authorization === undefined) throw challengeError(platform, null, 'A code or an access token is required.')
  const credentials = parseCredentials(authorization)
  if (credentials?.scheme !== 'dpop') {
    throw challengeError(platform, 'invalid_token', 'Present the token with the DPoP scheme.')
  }
  const { token } = credentials
  const { baseUrl } = platform.config
  try {
    const findKey = (kid: string) => platform.keys.find('access_token', kid)
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
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const code = error.code === 'use_dpop_nonce' || error.code === 'invalid_dpop_proof' ? error.code : 'invalid_token'
    throw challengeError(platform, code, `${error.message}.`)
  }
}

/** Uses up the DPoP proof, in the transaction that it lets happen. */
export async function consumeDpopProof(tx: Transaction, platform: Platform, key: ReplayKey): Promise<void> {
  const fresh = await tx.query(consumeReplayKeysSql([key]))
  if (fresh.length === 0) throw challengeError(platform, 'invalid_dpop_proof', 'The DPoP proof was used before.')
}

/** 401 for a token that is none for a credential, or one no more. */
export function buildTokenError(platform: Platform): ServiceError {
  return challengeError(platform, 'invalid_token', 'The token is not for a credential, or has been revoked.')
}

/** 401 with the challenge of RFC 9449 section 7.1; the body always says `invalid_token`. */
function challengeError(platform: Platform, error: string | null, description: string): ServiceError {
  const reason = error === null ? '' : `, error="${error}"`
  const challenge = `DPoP realm="${platform.config.baseUrl}", algs="EdDSA Ed25519 ES256"${reason}`
  const nonce = error === 'use_dpop_nonce' ? { 'dpop-nonce': platform.dpopNonces.current(platform.clock.now()) } : {}
  return new ServiceError('invalid_token', description, { headers: { 'www-authenticate': challenge, ...nonce } })
}
