import { verifyOwnReceipt } from '../crypto/receipt.js'
import { readVouchedKeys } from '../merchant/vouched-keys.js'
import type { Grant } from '../state/pending-store.js'
import type { PurchaseRun } from './run.js'

const OWN_NOTE = "The receipt is the merchant's own; the authorization server did not sign it."
const VOUCHED_NOTE =
  "The receipt is the merchant's own, signed with a key that the federation vouches for; the authorization server did not sign it."

/** Returns the payment that a receipt for this purchase must confirm. */
export function toExpectedReceipt({ order }: PurchaseRun, grant: Grant) {
  const { merchant, amountMinor, currency } = order
  return { mandateId: grant.mandate_id, merchant, amountMinor, currency }
}

/**
 * Checks the receipt of a merchant that has charged; returns a note when the authorization server did not sign it. The
 * merchant's own receipt is verified with the federation's keys, if the federation knows the merchant.
 */
export async function checkReceipt(run: PurchaseRun, grant: Grant, receipt: string): Promise<string | undefined> {
  const { client, host, order } = run
  const expected = toExpectedReceipt(run, grant)
  if (await client.checkMerchantReceipt(receipt, expected, host.signal)) return undefined
  const { merchant } = order
  const keys = await readVouchedKeys({ merchant, issuer: client.issuer, signal: host.signal })
  if (keys === null) return OWN_NOTE
  await verifyOwnReceipt(receipt, keys, expected)
  return VOUCHED_NOTE
}
