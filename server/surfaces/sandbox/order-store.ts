import type { Database, Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

export type OrderRow = Row<
  'SandboxOrder',
  | 'order_id'
  | 'merchant_id'
  | 'idempotency_key'
  | 'mandate_id'
  | 'request_digest'
  | 'amount_minor'
  | 'currency'
  | 'line_items'
  | 'status'
  | 'receipt_jws'
  | 'created_at'
  | 'paid_at'
  | 'proven_age',
  {
    line_items: readonly {
      readonly sku: string
      readonly title: string
      readonly qty: number
      readonly unit_price_minor: number
      readonly currency: string
    }[]
    status: 'awaiting_settlement' | 'paid'
  }
>

const columns = sql`order_id, merchant_id, idempotency_key, mandate_id, request_digest, amount_minor, currency, line_items,
  status, receipt_jws, created_at, paid_at, proven_age`

/** Locks the merchant's order book until the transaction ends, so that its orders are numbered in sequence. */
export async function lockOrderBook(tx: Transaction, merchantId: string): Promise<void> {
  await tx.query(sql`SELECT merchant_id FROM sandbox_merchant_keys WHERE merchant_id = ${merchantId} FOR UPDATE`)
}

/** Returns the orders under the key or with the mandate: none, one, or two that differ. */
export function listOrdersOf(
  tx: Transaction,
  order: Pick<OrderRow, 'merchant_id' | 'idempotency_key' | 'mandate_id'>,
): Promise<OrderRow[]> {
  return tx.query<OrderRow>(
    sql`SELECT ${columns} FROM sandbox_orders WHERE merchant_id = ${order.merchant_id} AND (idempotency_key = ${order.idempotency_key} OR mandate_id = ${order.mandate_id})`,
  )
}

export type NewOrder = Omit<OrderRow, 'order_id' | 'status' | 'receipt_jws' | 'paid_at'>

/** Inserts an order under the merchant's next number. The caller holds the lock of its order book. */
export function insertOrder(tx: Transaction, order: NewOrder, prefix: string): Promise<OrderRow[]> {
  return tx.query<OrderRow>(
    sql`INSERT INTO sandbox_orders (order_id, merchant_id, idempotency_key, mandate_id, request_digest, amount_minor, currency,
                                 line_items, status, created_at, proven_age)
     SELECT ${prefix} || '-' || (1001 + count(*)), ${order.merchant_id}, ${order.idempotency_key}, ${order.mandate_id}, ${order.request_digest}, ${order.amount_minor}::bigint, ${order.currency}, ${JSON.stringify(order.line_items)}::jsonb, 'awaiting_settlement', ${order.created_at}, ${order.proven_age}::int
       FROM sandbox_orders WHERE merchant_id = ${order.merchant_id}
     RETURNING ${columns}`,
  )
}

export async function findOrder(db: Database, merchantId: string, orderId: string): Promise<OrderRow | null> {
  const order = await db.prisma.sandboxOrder.findUnique({ where: { order_id: orderId, merchant_id: merchantId } })
  return order === null ? null : rowOf<OrderRow>(order)
}

/** Stores the receipt of an order that is not paid yet; the first receipt is kept. */
export async function markPaid(
  db: Database,
  paid: { readonly orderId: string; readonly receiptJws: string; readonly paidAt: Date },
): Promise<void> {
  await db.prisma.sandboxOrder.updateMany({
    where: { order_id: paid.orderId, status: 'awaiting_settlement' },
    data: { status: 'paid', receipt_jws: paid.receiptJws, paid_at: paid.paidAt },
  })
}
