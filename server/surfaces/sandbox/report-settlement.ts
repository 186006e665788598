import type { InputOf } from '../../base/contract/endpoint'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import { ProtocolError } from '../../base/protocol/errors'
import { type ReceiptClaims, verifyReceipt } from '../../base/protocol/receipt'
import type { SandboxMerchant } from './catalog-data'
import type { reportSettlementEndpoint } from './contract'
import { audienceOf, requireMerchant } from './merchants'
import { renderReceipt } from './order-receipt'
import { findOrder, markPaid, type OrderRow } from './order-store'

/**
 * Accepts the receipt of an order's settlement and marks the order as paid. The receipt is verified with the service's
 * published keys, without a request to the service. Safe to repeat; the first receipt is kept.
 */
export async function reportSettlement(call: AnonymousCall, input: InputOf<typeof reportSettlementEndpoint>) {
  const { platform, now } = call
  const merchant = requireMerchant(input.merchant_id)
  const order = await findOrder(platform.db, merchant.id, input.order_id)
  if (order === null) throw new ServiceError('not_found', 'There is no such order.')
  requireReceiptFor(order, await verify(call, merchant, input.receipt_jws))
  await markPaid(platform.db, { orderId: order.order_id, receiptJws: input.receipt_jws, paidAt: now })
  const paid = await findOrder(platform.db, merchant.id, order.order_id)
  invariant(paid !== null, 'an order is never deleted')
  return { order_id: paid.order_id, status: 'paid' as const, receipt: renderReceipt(platform, merchant, paid) }
}

async function verify(
  { platform, now }: AnonymousCall,
  merchant: SandboxMerchant,
  receiptJws: string,
): Promise<ReceiptClaims> {
  try {
    const { claims } = await verifyReceipt(receiptJws, {
      issuer: platform.config.baseUrl,
      audience: audienceOf(platform, merchant),
      now,
      findKey: (kid) => platform.keys.find('receipt', kid),
    })
    return claims
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new ServiceError('invalid_request', `${cause.message}.`, { status: 422, cause })
  }
}

function requireReceiptFor(order: OrderRow, receipt: ReceiptClaims): void {
  const isSame =
    receipt.mandate_id === order.mandate_id &&
    receipt.amount_minor === order.amount_minor &&
    receipt.currency === order.currency
  if (!isSame) throw new ServiceError('invalid_request', 'The receipt is for another order.', { status: 422 })
}
