import type { Platform } from '../../base/core/platform'
import { epochSeconds } from '../../base/protocol/claims'
import { canonicalJson, sha256Base64url } from '../../base/protocol/encoding'
import { signDocument } from '../../base/protocol/jws'
import { EVIDENCE_SEAL_TYPE, type EvidencePack } from './contract'

/**
 * Signs the SHA-256 over the canonical JSON (RFC 8785) of each member by itself: a reader can tell which member was
 * altered, and a holder can omit one without invalidating the others.
 */
export async function sealPack(platform: Platform, pack: Omit<EvidencePack, 'seal'>): Promise<EvidencePack> {
  const digests = Object.entries(pack).map(([name, value]): [string, string] => [
    name,
    sha256Base64url(canonicalJson(value)),
  ])
  const payload = {
    iss: pack.issuer,
    iat: epochSeconds(new Date(pack.created_at)),
    sub: pack.payment.payment_intent_id,
    members: Object.fromEntries(digests),
  }
  const key = platform.keys.current('audit')
  return { ...pack, seal: await signDocument({ typ: EVIDENCE_SEAL_TYPE, payload, key }) }
}
