import type { LineItem } from '../../base/contract/wire'
import type { Platform } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import type { PublicJwk } from '../../base/protocol/jwk'
import { issueMandate, type MandateDisclosables } from '../../base/protocol/mandate'
import { createDisclosures } from '../../base/protocol/sd-jwt'
import { statusListUri } from './read-status-list'

export interface MandateToSign {
  readonly mandateId: string
  readonly clientId: string
  /** The merchant's audience exactly as the agent sent it. */
  readonly audience: string
  readonly amountMinor: number
  readonly currency: string
  /** The disclosures from `discloseMandate`. */
  readonly disclosures: readonly string[]
  readonly offerId: string | undefined
  readonly offerDigest: string | undefined
  readonly holderKey: PublicJwk
  /** The thumbprint of the holder's key. */
  readonly holderJkt: string
  readonly statusIndex: number
  readonly now: Date
}

/** Returns a reference to the person for one audience; audiences cannot link their references to the same person. */
export function pairwiseReference(principalId: string, audience: string): string {
  return sha256Base64url(`${principalId}:${audience}`)
}

interface MandateSubject {
  readonly principalId: string
  readonly audience: string
  readonly lineItems: readonly LineItem[]
  /** The age that this merchant requires and the person has proven; null when it requires none. */
  readonly provenAge: number | null
}

/**
 * Creates the disclosures, which the holder of a mandate may withhold. They name the person by a pairwise reference.
 */
export function discloseMandate({ random }: Pick<Platform, 'random'>, about: MandateSubject): string[] {
  const { provenAge } = about
  const disclosable = {
    principal: pairwiseReference(about.principalId, about.audience),
    line_items: about.lineItems.map((item) => ({ ...item })),
    instrument: { type: 'card' },
    ...(provenAge !== null && { age_equal_or_over: { [provenAge]: true as const } }),
  } satisfies MandateDisclosables
  return createDisclosures(disclosable, (length) => random.bytes(length))
}

/** Signs the SD-JWT VC for one purchase. */
export function signMandate(platform: Platform, mandate: MandateToSign): string {
  return issueMandate({
    issuer: platform.config.baseUrl,
    audience: mandate.audience,
    mandateId: mandate.mandateId,
    clientId: mandate.clientId,
    holder: { jwk: mandate.holderKey, jkt: mandate.holderJkt },
    status: { idx: mandate.statusIndex, uri: statusListUri(platform) },
    amountMinor: mandate.amountMinor,
    currency: mandate.currency,
    ...(mandate.offerId === undefined ? {} : { offerId: mandate.offerId }),
    ...(mandate.offerDigest === undefined ? {} : { offerDigest: mandate.offerDigest }),
    disclosures: mandate.disclosures,
    issuedAt: mandate.now,
    ttlSeconds: platform.config.mandateTtlSeconds,
    key: platform.keys.current('mandate'),
  })
}
