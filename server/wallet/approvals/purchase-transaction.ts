import { canonicalJson, type JsonObject, parseJsonObject } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { displayDigest } from './display'

/** What of transaction data is about the request that carries it; the rest is what the person approves. */
const FRAME = ['type', 'credential_ids', 'transaction_data_hashes_alg']

/**
 * What a wallet app shows and hashes of a purchase (dynamic linking): payee, amount and items, the limits that are lifted,
 * what the person chose for the next time, and the digest of all that.
 */
export function describePurchase(authorizationId: string, display: JsonObject): JsonObject {
  const { merchant_origin: merchant, ...rest } = display
  return { authorization_id: authorizationId, merchant, ...rest, display_digest: displayDigest(display) }
}

/** Whether transaction data, as it was sent, describes exactly this purchase. */
export function describesPurchase(
  transactionData: string,
  { authorizationId, display }: { readonly authorizationId: string; readonly display: JsonObject },
): boolean {
  const read = readPurchase(transactionData)
  return read !== null && canonicalJson(read) === canonicalJson(describePurchase(authorizationId, display))
}

/** Above which amount the person wants to be asked next time, as the transaction data says; undefined without a choice. */
export function askAboveOf(transactionData: string): number | undefined {
  const chosen = readPurchase(transactionData)?.['ask_above_minor']
  return typeof chosen === 'number' ? chosen : undefined
}

function readPurchase(transactionData: string): JsonObject | null {
  try {
    const members = Object.entries(parseJsonObject(Buffer.from(transactionData, 'base64url')))
    return Object.fromEntries(members.filter(([name]) => !FRAME.includes(name)))
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}
