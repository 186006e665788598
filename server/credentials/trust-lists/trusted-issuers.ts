import type { Call } from '../../base/core/call'
import type { PublicJwk } from '../../base/protocol/jwk'
import type { AttestationAlgorithm } from './contract'
import { findTrustList, type ListedIssuer, listRegions } from './trust-list-store'

/** An issuer that a region trusts, with the types that it may issue and the keys that it may use. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly algs: readonly AttestationAlgorithm[]
  /** The types that it may issue; null for every type. */
  readonly vctValues: readonly string[] | null
  readonly jwks: readonly PublicJwk[] | null
  /** DER as base64. */
  readonly x5cRoots: readonly string[] | null
  /** Whether it is this server, whose keys are in the keyring. */
  readonly isOurs: boolean
}

type ReadCall = Pick<Call, 'platform' | 'now'>

/** Returns the issuers whom a region trusts, our own among them; null for a region that is not configured. */
export async function readTrustedIssuers(
  { platform }: ReadCall,
  region: string,
): Promise<readonly TrustedIssuer[] | null> {
  const list = await findTrustList(platform.db, region)
  if (list === null) return null
  const { baseUrl } = platform.config
  const others = list.issuers.filter(({ issuer }) => issuer !== baseUrl)
  return [describeOurs(baseUrl), ...others.map(describeOther)]
}

/** Returns the regions that are configured. */
export function readRegions({ platform }: ReadCall): Promise<readonly string[]> {
  return listRegions(platform.db)
}

/** Returns this server's own issuer, trusted in every region and for every type, whatever a list says of it. */
function describeOurs(issuer: string): TrustedIssuer {
  return { issuer, algs: ['EdDSA', 'Ed25519'], vctValues: null, jwks: null, x5cRoots: null, isOurs: true }
}

function describeOther({ issuer, algs, vct_values, jwks, x5c_roots }: ListedIssuer): TrustedIssuer {
  return {
    issuer,
    algs,
    vctValues: vct_values ?? null,
    jwks: jwks?.keys ?? null,
    x5cRoots: x5c_roots ?? null,
    isOurs: false,
  }
}
