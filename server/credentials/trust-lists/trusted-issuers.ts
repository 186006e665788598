import type { Call } from '../../base/core/call'
import type { PublicJwk } from '../../base/protocol/jwk'
import type { AttestationAlgorithm } from './contract'
import { findTrustList, type ListedIssuer, listRegions } from './trust-list-store'

/** Whom a region trusts to issue credentials, for what, and by which keys. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly algs: readonly AttestationAlgorithm[]
  /** Null: every type. */
  readonly vctValues: readonly string[] | null
  readonly jwks: readonly PublicJwk[] | null
  /** DER as base64. */
  readonly x5cRoots: readonly string[] | null
  /** Our own issuer: the keys are those of our keyring. */
  readonly isOurs: boolean
}

type ReadCall = Pick<Call, 'platform' | 'now'>

/** The issuers whom a region trusts, our own among them; null for a region that is not configured. */
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

/** The regions that are configured. */
export function readRegions({ platform }: ReadCall): Promise<readonly string[]> {
  return listRegions(platform.db)
}

/** Ours is trusted everywhere and for every type; an entry that names it changes nothing. */
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
