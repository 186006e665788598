import type { Queryable } from '../../../core/platform'
import type { Row } from '../../../core/rows'
import { sql } from '../../../core/sql'

type Metadata = Readonly<Record<string, string>>

/** An intent with its charge; it is in processing until `decides_at`. */
export type IntentRow = Readonly<
  Row<
    'SandboxProcessorIntent',
    | 'id'
    | 'kind'
    | 'customer_id'
    | 'payment_method_id'
    | 'amount_minor'
    | 'currency'
    | 'connected_account_id'
    | 'application_fee_minor'
    | 'client_secret'
    | 'status'
    | 'failure_code'
    | 'decline_code'
    | 'cancellation_reason'
    | 'canceled_at'
    | 'confirmations'
    | 'metadata'
    | 'decides_at'
    | 'created_at',
    {
      kind: 'setup' | 'payment'
      status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled'
      metadata: Metadata
    }
  >
> & { readonly charge_id: string | null }

export type CardRow = Readonly<Row<'SandboxProcessorCard'>>

export type CustomerRow = Readonly<
  Row<'SandboxProcessorCustomer', 'id' | 'metadata' | 'created_at', { metadata: Metadata }>
>

const intentColumns = sql`i.id, i.kind, i.customer_id, i.payment_method_id, i.amount_minor, i.currency, i.connected_account_id,
  i.application_fee_minor, i.client_secret, i.status, i.failure_code, i.decline_code, i.cancellation_reason, i.canceled_at,
  i.confirmations, i.metadata, i.decides_at, i.created_at,
  (SELECT c.id FROM sandbox_processor_charges c WHERE c.payment_intent_id = i.id) AS charge_id`

type NewIntent = Pick<
  IntentRow,
  | 'id'
  | 'kind'
  | 'customer_id'
  | 'payment_method_id'
  | 'amount_minor'
  | 'currency'
  | 'connected_account_id'
  | 'application_fee_minor'
  | 'client_secret'
  | 'status'
  | 'metadata'
  | 'created_at'
>

export async function insertIntent(tx: Queryable, intent: NewIntent): Promise<IntentRow> {
  const [row] = await tx.query<IntentRow>(
    sql`INSERT INTO sandbox_processor_intents AS i (id, kind, customer_id, payment_method_id, amount_minor, currency,
       connected_account_id, application_fee_minor, client_secret, status, metadata, principal_id, settlement_id, created_at)
     VALUES (${intent.id}, ${intent.kind}, ${intent.customer_id}, ${intent.payment_method_id}, ${intent.amount_minor}, ${intent.currency}, ${intent.connected_account_id}, ${intent.application_fee_minor}, ${intent.client_secret}, ${intent.status}, ${JSON.stringify(intent.metadata)}, ${JSON.stringify(intent.metadata)}::jsonb->>'principal_id', ${JSON.stringify(intent.metadata)}::jsonb->>'settlement_id', ${intent.created_at})
     RETURNING ${intentColumns}`,
  )
  if (row === undefined) throw new Error('the intent was not stored')
  return row
}

export async function findIntent(db: Queryable, kind: IntentRow['kind'], id: string): Promise<IntentRow | null> {
  const [row] = await db.query<IntentRow>(
    sql`SELECT ${intentColumns} FROM sandbox_processor_intents i WHERE i.id = ${id} AND i.kind = ${kind}`,
  )
  return row ?? null
}

/** Locks the intent until the transaction ends, so that nothing happens to it twice. */
export async function lockIntent(tx: Queryable, kind: IntentRow['kind'], id: string): Promise<IntentRow | null> {
  // A statement of its own, so that the next one sees what the former holder of the lock has committed.
  await tx.query(sql`SELECT 1 FROM sandbox_processor_intents WHERE id = ${id} AND kind = ${kind} FOR UPDATE`)
  return findIntent(tx, kind, id)
}

interface IntentList {
  readonly kind: IntentRow['kind']
  readonly customerId: string | null
  readonly createdFrom: Date
  /** The id after which the list begins; null for its start. */
  readonly after: string | null
  readonly limit: number
}

/** Lists intents, the newest first. */
export function listIntents(db: Queryable, list: IntentList): Promise<IntentRow[]> {
  return db.query<IntentRow>(
    sql`SELECT ${intentColumns} FROM sandbox_processor_intents i
      WHERE i.kind = ${list.kind} AND (${list.customerId}::text IS NULL OR i.customer_id = ${list.customerId}) AND i.created_at >= ${list.createdFrom}
        AND (${list.after}::text IS NULL OR
             (i.created_at, i.id) < (SELECT a.created_at, a.id FROM sandbox_processor_intents a WHERE a.id = ${list.after}))
      ORDER BY i.created_at DESC, i.id DESC LIMIT ${list.limit}`,
  )
}

type IntentChange = Pick<IntentRow, 'status'> &
  Partial<Pick<IntentRow, 'failure_code' | 'decline_code' | 'payment_method_id' | 'decides_at'>>

/** Records the outcome of a confirmation. If not given, a failure is cleared and the payment method stays. */
export async function decideIntent(tx: Queryable, id: string, change: IntentChange): Promise<IntentRow> {
  const [row] = await tx.query<IntentRow>(
    sql`UPDATE sandbox_processor_intents i
        SET status = ${change.status}, failure_code = ${change.failure_code ?? null}, decline_code = ${change.decline_code ?? null}, payment_method_id = coalesce(${change.payment_method_id ?? null}, payment_method_id),
            decides_at = ${change.decides_at ?? null}, confirmations = confirmations + 1
      WHERE id = ${id}
      RETURNING ${intentColumns}`,
  )
  if (row === undefined) throw new Error('an intent that is decided exists')
  return row
}

export async function usePaymentMethod(tx: Queryable, id: string, paymentMethodId: string): Promise<void> {
  await tx.query(sql`UPDATE sandbox_processor_intents SET payment_method_id = ${paymentMethodId} WHERE id = ${id}`)
}

export async function cancelIntent(
  tx: Queryable,
  cancellation: { id: string; reason: string | null; now: Date },
): Promise<IntentRow> {
  const [row] = await tx.query<IntentRow>(
    sql`UPDATE sandbox_processor_intents i SET status = 'canceled', cancellation_reason = ${cancellation.reason}, canceled_at = ${cancellation.now} WHERE id = ${cancellation.id}
     RETURNING ${intentColumns}`,
  )
  if (row === undefined) throw new Error('an intent that is canceled exists')
  return row
}

export async function insertCustomer(tx: Queryable, customer: CustomerRow): Promise<void> {
  await tx.query(
    sql`INSERT INTO sandbox_processor_customers (id, metadata, created_at) VALUES (${customer.id}, ${JSON.stringify(customer.metadata)}, ${customer.created_at})`,
  )
}

export async function findCustomer(db: Queryable, id: string): Promise<CustomerRow | null> {
  const [row] = await db.query<CustomerRow>(
    sql`SELECT id, metadata, created_at FROM sandbox_processor_customers WHERE id = ${id}`,
  )
  return row ?? null
}

/** Deletes a customer and their cards. Returns false when there is no such customer. */
export async function removeCustomer(tx: Queryable, id: string): Promise<boolean> {
  await tx.query(sql`DELETE FROM sandbox_processor_cards WHERE customer_id = ${id}`)
  return (await tx.query(sql`DELETE FROM sandbox_processor_customers WHERE id = ${id} RETURNING id`)).length === 1
}

export async function findCard(db: Queryable, paymentMethodId: string | null): Promise<CardRow | null> {
  if (paymentMethodId === null) return null
  const [row] = await db.query<CardRow>(
    sql`SELECT payment_method_id, customer_id, behaviour, brand, last4, exp_month, exp_year, detached_at, created_at
       FROM sandbox_processor_cards WHERE payment_method_id = ${paymentMethodId}`,
  )
  return row ?? null
}

export async function insertCard(tx: Queryable, card: CardRow): Promise<void> {
  await tx.query(
    sql`INSERT INTO sandbox_processor_cards (payment_method_id, customer_id, behaviour, brand, last4, exp_month, exp_year, created_at)
     VALUES (${card.payment_method_id}, ${card.customer_id}, ${card.behaviour}, ${card.brand}, ${card.last4}, ${card.exp_month}, ${card.exp_year}, ${card.created_at})`,
  )
}

/** Detaches a card; returns false when it was detached before. */
export async function detachCard(tx: Queryable, paymentMethodId: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE sandbox_processor_cards SET detached_at = ${now} WHERE payment_method_id = ${paymentMethodId} AND detached_at IS NULL
     RETURNING payment_method_id`,
  )
  return rows.length === 1
}
