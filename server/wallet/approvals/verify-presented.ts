import type { KeyObject } from 'node:crypto'
import type { Platform } from '../../base/core/platform'
import { ED25519_ALGORITHMS } from '../../base/protocol/eddsa'
import type { JsonObject } from '../../base/protocol/encoding'
import { ensure, ProtocolError } from '../../base/protocol/errors'
import { parsePresentation, verifyPresentation } from '../../base/protocol/presentation'
import type { PresentedEvidence } from './presented-evidence'
import { describesPurchase } from './purchase-transaction'

/** Stored evidence of a wallet app, and the purchase that it must approve. */
export interface PresentedApproval {
  readonly evidence: PresentedEvidence
  readonly authorizationId: string
  readonly display: JsonObject
  readonly decidedAt: Date
}

/**
 * Returns whether a stored presentation approves exactly this purchase: a credential of this server, presented at that
 * moment by the key that it is bound to, over transaction data that describes the purchase. Whether the credential may
 * still approve is checked elsewhere.
 */
export async function verifyPresented(
  platform: Pick<Platform, 'config' | 'keys'>,
  { evidence, decidedAt, ...purchase }: PresentedApproval,
): Promise<boolean> {
  if (!describesPurchase(evidence.transaction_data, purchase)) return false
  try {
    const parsed = parsePresentation(evidence.presentation)
    const { claims } = await verifyPresentation(parsed, {
      algorithms: ED25519_ALGORITHMS,
      findKey: ({ kid }) => findOwnKey(platform, kid),
      binding: {
        audiences: [evidence.audience],
        nonce: evidence.presentation_nonce,
        jkt: evidence.holder_jkt,
        transactionData: [evidence.transaction_data],
      },
      now: decidedAt,
    })
    return parsed.issuer === platform.config.baseUrl && claims['jti'] === evidence.credential_id
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}

async function findOwnKey({ keys }: Pick<Platform, 'keys'>, kid: string | undefined): Promise<KeyObject> {
  const key = kid === undefined ? undefined : keys.find('mandate', kid)
  ensure(key !== undefined, 'invalid_signature', 'The issuer has no such key')
  return key
}
