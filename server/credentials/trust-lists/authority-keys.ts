import { parseCertificate } from '../../base/protocol/certificate'
import type { TrustedIssuer } from './trusted-issuers'

/**
 * Returns the roots to which an issuer's certificates must lead; null when its keys are listed, published by the issuer
 * or this server's own.
 */
export function rootsOf({ isOurs, jwks, x5cRoots }: TrustedIssuer): readonly string[] | null {
  return isOurs || jwks !== null ? null : x5cRoots
}

/**
 * Returns whether one of the authorities, named by the identifiers of their keys, has certified the key that an issuer
 * signed with. Only the certificates that led to the key count: next to other keys an issuer may write any into its
 * `x5c`.
 *
 * @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#section-6.1.1.1}
 */
export function isBackedBy(
  authorityKeyIds: readonly string[],
  issuer: TrustedIssuer,
  { x5c = [] }: { readonly x5c?: readonly string[] },
): boolean {
  if (rootsOf(issuer) === null) return false
  const found = x5c.map((text) => parseCertificate(text).authorityKeyId)
  return found.some((id) => id !== null && authorityKeyIds.includes(id))
}
