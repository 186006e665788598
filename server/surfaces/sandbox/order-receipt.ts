import type * as z from 'zod'
import type { Platform } from '../../base/core/platform'
import type { SandboxMerchant } from './catalog-data'
import { audienceOf } from './merchants'
import type { OrderRow } from './order-store'
import type { orderBody } from './wire'

/** Returns the merchant's receipt for an order, before and after it is paid. */
export function renderReceipt(
  platform: Platform,
  merchant: SandboxMerchant,
  order: OrderRow,
): z.input<typeof orderBody>['receipt'] {
  return {
    order_id: order.order_id,
    merchant: audienceOf(platform, merchant),
    merchant_name: merchant.name,
    status: order.status,
    mandate_id: order.mandate_id,
    amount_minor: order.amount_minor,
    currency: order.currency,
    line_items: order.line_items.map((line) => ({ ...line })),
    ...(order.proven_age !== null && { age_equal_or_over: { [order.proven_age]: true as const } }),
    created_at: order.created_at.toISOString(),
    ...(order.paid_at !== null && { paid_at: order.paid_at.toISOString() }),
    ...(order.receipt_jws !== null && { receipt_jws: order.receipt_jws }),
  }
}
