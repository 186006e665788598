import type { LineItem } from '../../base/contract/wire'
import type { Platform } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import type { PublicJwk } from '../../base/protocol/jwk'
import { issueMandate } from '../../base/protocol/mandate'
import { statusListUri } from './read-status-list'

export interface MandateOrder {
  readonly mandateId: string
  readonly clientId: string
  readonly principalId: string
  /** The merchant exactly as the agent named it. */
  readonly audience: string
  readonly amountMinor: number
  readonly currency: string
  readonly lineItems: readonly LineItem[]
  readonly offerId: string | undefined
  readonly offerDigest: string | undefined
  readonly holderKey: PublicJwk
  /** The thumbprint of the holder's key. */
  readonly holderJkt: string
  readonly statusIndex: number
  readonly now: Date
}

/** Signs the SD-JWT VC for one purchase. The person appears in it only as a pairwise reference that can be withheld. */
export function signMandate(platform: Platform, order: MandateOrder): string {
  return issueMandate({
    issuer: platform.config.baseUrl,
    audience: order.audience,
    mandateId: order.mandateId,
    clientId: order.clientId,
    holder: { jwk: order.holderKey, jkt: order.holderJkt },
    status: { idx: order.statusIndex, uri: statusListUri(platform) },
    amountMinor: order.amountMinor,
    currency: order.currency,
    ...(order.offerId === undefined ? {} : { offerId: order.offerId }),
    ...(order.offerDigest === undefined ? {} : { offerDigest: order.offerDigest }),
    disclosable: {
      principal: sha256Base64url(`${order.principalId}:${order.audience}`),
      line_items: order.lineItems.map((item) => ({ ...item })),
      instrument: { type: 'card' },
    },
    issuedAt: order.now,
    ttlSeconds: platform.config.mandateTtlSeconds,
    key: platform.keys.current('mandate'),
    randomBytes: (length) => platform.random.bytes(length),
  })
}
