import { canonicalJson, type JsonObject, parseJsonObject } from '../../base/protocol/encoding'
import { orNull } from '../../base/protocol/errors'
import { displayDigest } from './display'

/** The members of transaction data that belong to the presentation request; the others are what the person approves. */
const FRAME = ['type', 'credential_ids', 'transaction_data_hashes_alg']

/**
 * Returns the purchase as a wallet app displays and hashes it (dynamic linking): payee, amount and items, the limits
 * that are lifted, the choice for later purchases, and the digest of all of these.
 */
export function describePurchase(authorizationId: string, display: JsonObject): JsonObject {
  const { merchant_origin: merchant, ...rest } = display
  return { authorization_id: authorizationId, merchant, ...rest, display_digest: displayDigest(display) }
}

/** Returns whether transaction data, as sent to the wallet, describes exactly this purchase. */
export function describesPurchase(
  transactionData: string,
  { authorizationId, display }: { readonly authorizationId: string; readonly display: JsonObject },
): boolean {
  const read = readPurchase(transactionData)
  return read !== null && canonicalJson(read) === canonicalJson(describePurchase(authorizationId, display))
}

/**
 * Reads from transaction data the amount above which the agent must ask again; undefined when the person did not
 * choose.
 */
export function askAboveOf(transactionData: string): number | undefined {
  const chosen = readPurchase(transactionData)?.['ask_above_minor']
  return typeof chosen === 'number' ? chosen : undefined
}

function readPurchase(transactionData: string): JsonObject | null {
  return orNull(() => {
    const members = Object.entries(parseJsonObject(Buffer.from(transactionData, 'base64url')))
    return Object.fromEntries(members.filter(([name]) => !FRAME.includes(name)))
  })
}
