import { type AccessTokenClaims, verifyAccessToken } from '../../base/protocol/access-token'
import { type DpopProof, type ExpectedProof, verifyDpopProof } from '../../base/protocol/dpop'
import { type TokenEndpoint, withTokenErrors } from './dpop-challenge'

/** A request with an access token. */
interface TokenRequest extends Pick<ExpectedProof, 'method' | 'uri' | 'now'> {
  readonly proof: string | null
}

/** Verifies that this server signed the access token, its time and its type. Its audience is the caller's to check. */
export function verifyToken(endpoint: TokenEndpoint, token: string, now: Date): Promise<AccessTokenClaims> {
  const { config, keys } = endpoint.platform
  const findKey = (kid: string) => keys.find('access_token', kid)
  return withTokenErrors(endpoint, () => verifyAccessToken(token, { issuer: config.baseUrl, now, findKey }))
}

/** Verifies the DPoP proof of a request and that the token is bound to its key (RFC 9449 section 7.1). */
export function verifyTokenProof(
  endpoint: TokenEndpoint,
  { proof, method, uri, now }: TokenRequest,
  { token, claims }: { readonly token: string; readonly claims: AccessTokenClaims },
): Promise<DpopProof> {
  const check = () =>
    verifyDpopProof(proof, {
      method,
      uri,
      now,
      accessToken: token,
      boundKey: claims.cnf.jkt,
      nonceRequired: false,
      isNonceValid: (nonce) => endpoint.platform.dpopNonces.isValid(nonce, now),
    })
  return withTokenErrors(endpoint, check)
}
