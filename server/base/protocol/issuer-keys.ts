import type { KeyObject } from 'node:crypto'
import { isJsonObject, parseJsonObject } from './encoding'
import { ensure, orNull } from './errors'
import { fitsAlgorithm, type PublicJwk, parsePublicJwk } from './jwk'
import { FOREIGN_KEYS_MAX, URI_MAX_CHARS } from './lifetimes'

/** The keys of a credential issuer, or their address, from its metadata. */
export type IssuerMetadata = { readonly keys: readonly PublicJwk[] } | { readonly jwksUri: string }

/**
 * Reads the JWT VC issuer metadata, which must name the issuer and have its keys or their address.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-sd-jwt-vc#section-5}
 */
export function parseIssuerMetadata(body: Uint8Array, issuer: string): IssuerMetadata {
  const metadata = parseJsonObject(body)
  ensure(metadata['issuer'] === issuer, 'malformed', 'The metadata is of another issuer')
  const { jwks, jwks_uri: jwksUri } = metadata
  ensure(
    (jwks === undefined) !== (jwksUri === undefined),
    'malformed',
    'The metadata must have one of jwks and jwks_uri',
  )
  if (jwks !== undefined) return { keys: readKeys(jwks) }
  const isUri = typeof jwksUri === 'string' && jwksUri.length <= URI_MAX_CHARS
  ensure(isUri, 'malformed', 'The jwks_uri of the metadata is malformed')
  return { jwksUri }
}

/** Reads the published key set of another party. @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-5} */
export function parsePublishedKeys(body: Uint8Array): PublicJwk[] {
  return readKeys(parseJsonObject(body))
}

/** Reads the supported keys of a set; others are skipped (RFC 7517 section 5). */
function readKeys(jwks: unknown): PublicJwk[] {
  const keys: unknown = isJsonObject(jwks) ? jwks['keys'] : undefined
  ensure(Array.isArray(keys) && keys.length <= FOREIGN_KEYS_MAX, 'malformed', 'The keys are not a key set')
  return keys.flatMap((key: unknown) => orNull(() => parsePublicJwk(key)) ?? [])
}

/** Returns the key that matches a JWT's header: the same kid, or both without; null unless there is exactly one. */
export function pickKey(
  keys: readonly PublicJwk[],
  { alg, kid }: { readonly alg: string; readonly kid?: string },
): PublicJwk | null {
  const fitting = keys.filter((key) => key.kid === kid && fitsAlgorithm(key, alg))
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

/** Whether a key that is not from a JWK may verify a signature of this algorithm. */
export function keyFitsAlgorithm(key: KeyObject, alg: string): boolean {
  if (alg === 'ES256') return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return (alg === 'EdDSA' || alg === 'Ed25519') && key.asymmetricKeyType === 'ed25519'
}
