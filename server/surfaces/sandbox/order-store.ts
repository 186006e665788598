import type { Queryable, Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

export interface OrderRow {
  readonly order_id: string
  readonly merchant_id: string
  readonly idempotency_key: string
  readonly mandate_id: string
  readonly request_digest: string
  readonly amount_minor: number
  readonly currency: string
  readonly line_items: readonly {
    readonly sku: string
    readonly title: string
    readonly qty: number
    readonly unit_price_minor: number
    readonly currency: string
  }[]
  readonly status: 'awaiting_settlement' | 'paid'
  readonly receipt_jws: string | null
  readonly created_at: Date
  readonly paid_at: Date | null
}

const columns = sql`order_id, merchant_id, idempotency_key, mandate_id, request_digest, amount_minor, currency, line_items,
  status, receipt_jws, created_at, paid_at`

/** Holds the merchant's order book until the transaction ends, so that its orders are numbered one after the other. */
export async function lockOrderBook(tx: Transaction, merchantId: string): Promise<void> {
  await tx.query(sql`SELECT merchant_id FROM sandbox_merchant_keys WHERE merchant_id = ${merchantId} FOR UPDATE`)
}

/** The orders that were made under the key or with the mandate: none, one, or two that differ. */
export async function findOrdersOf(
  tx: Queryable,
  order: Pick<OrderRow, 'merchant_id' | 'idempotency_key' | 'mandate_id'>,
): Promise<OrderRow[]> {
  return tx.query<OrderRow>(
    sql`SELECT ${columns} FROM sandbox_orders WHERE merchant_id = ${order.merchant_id} AND (idempotency_key = ${order.idempotency_key} OR mandate_id = ${order.mandate_id})`,
  )
}

export type NewOrder = Omit<OrderRow, 'order_id' | 'status' | 'receipt_jws' | 'paid_at'>

/** Writes an order under the next number of the merchant, whose order book must be locked. */
export async function insertOrder(tx: Transaction, order: NewOrder, prefix: string): Promise<OrderRow[]> {
  return tx.query<OrderRow>(
    sql`INSERT INTO sandbox_orders (order_id, merchant_id, idempotency_key, mandate_id, request_digest, amount_minor, currency,
                                 line_items, status, created_at)
     SELECT ${prefix} || '-' || (1001 + count(*)), ${order.merchant_id}, ${order.idempotency_key}, ${order.mandate_id}, ${order.request_digest}, ${order.amount_minor}::bigint, ${order.currency}, ${JSON.stringify(order.line_items)}::jsonb, 'awaiting_settlement', ${order.created_at}
       FROM sandbox_orders WHERE merchant_id = ${order.merchant_id}
     RETURNING ${columns}`,
  )
}

export async function findOrder(db: Queryable, merchantId: string, orderId: string): Promise<OrderRow | null> {
  const [row] = await db.query<OrderRow>(
    sql`SELECT ${columns} FROM sandbox_orders WHERE merchant_id = ${merchantId} AND order_id = ${orderId}`,
  )
  return row ?? null
}

/** Keeps the receipt of an order that waits for one; null when it does not wait any more. */
export async function markPaid(
  db: Queryable,
  paid: { readonly orderId: string; readonly receiptJws: string; readonly paidAt: Date },
): Promise<OrderRow | null> {
  const [row] = await db.query<OrderRow>(
    sql`UPDATE sandbox_orders SET status = 'paid', receipt_jws = ${paid.receiptJws}, paid_at = ${paid.paidAt}
      WHERE order_id = ${paid.orderId} AND status = 'awaiting_settlement' RETURNING ${columns}`,
  )
  return row ?? null
}
