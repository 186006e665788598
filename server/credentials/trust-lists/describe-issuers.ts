import { sha256Base64url } from '../../base/protocol/encoding'
import { thumbprintOf } from '../../base/protocol/key-import'
import type { AuditValue } from '../../shared/audit'
import type { ListedIssuer } from './trust-list-store'

/**
 * Returns a list in the form for the audit chain: keys and certificates by their SHA-256; null for a region without
 * one.
 */
export async function describeIssuers(issuers: readonly ListedIssuer[] | null): Promise<AuditValue> {
  return issuers === null ? null : Promise.all(issuers.map(describeIssuer))
}

async function describeIssuer({ issuer, algs, vct_values, jwks, x5c_roots }: ListedIssuer): Promise<AuditValue> {
  return {
    issuer,
    algs,
    vct_values: vct_values ?? null,
    key_thumbprints: jwks === undefined ? null : await Promise.all(jwks.keys.map(thumbprintOf)),
    root_digests: x5c_roots?.map((root) => sha256Base64url(Buffer.from(root, 'base64'))) ?? null,
  }
}
