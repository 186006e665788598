import type { Queryable } from '../../../core/platform'
import type { Row } from '../../../core/rows'
import { sql } from '../../../core/sql'
import type { IntentRow } from './store'

type DisputeStatus = { status: 'needs_response' | 'won' | 'lost' }
type Refund = Row<'SandboxProcessorRefund', 'id' | 'metadata' | 'created_at', Pick<IntentRow, 'metadata'>>
type Dispute = Row<'SandboxProcessorDispute', 'id' | 'status' | 'created_at', DisputeStatus>

/** A charge with columns of its intent, and with its refund and dispute. */
export type ChargeRow = Readonly<
  Row<'SandboxProcessorCharge', 'id' | 'payment_intent_id' | 'amount_minor' | 'currency' | 'created_at'>
> &
  Pick<
    IntentRow,
    'customer_id' | 'payment_method_id' | 'connected_account_id' | 'application_fee_minor' | 'metadata' | 'decides_at'
  > & {
    readonly refund_id: Refund['id'] | null
    readonly refund_metadata: Refund['metadata'] | null
    readonly refunded_at: Refund['created_at'] | null
    readonly dispute_id: Dispute['id'] | null
    readonly dispute_status: Dispute['status'] | null
    readonly disputed_at: Dispute['created_at'] | null
  }

const chargeSelection = sql`SELECT c.id, c.payment_intent_id, i.customer_id, i.payment_method_id, i.connected_account_id,
    i.application_fee_minor, i.metadata, c.amount_minor, c.currency, i.decides_at, c.created_at, r.id AS refund_id,
    r.metadata AS refund_metadata, r.created_at AS refunded_at, d.id AS dispute_id, d.status AS dispute_status,
    d.created_at AS disputed_at
  FROM sandbox_processor_charges c JOIN sandbox_processor_intents i ON i.id = c.payment_intent_id
  LEFT JOIN sandbox_processor_refunds r ON r.charge_id = c.id LEFT JOIN sandbox_processor_disputes d ON d.charge_id = c.id`

/** Inserts the captured charge of a payment intent; the database refuses a second one. */
export async function insertCharge(
  tx: Queryable,
  charge: { id: string; paymentIntentId: string; now: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO sandbox_processor_charges (id, payment_intent_id, settlement_id, amount_minor, currency, created_at)
     SELECT ${charge.id}, id, settlement_id, amount_minor, currency, ${charge.now} FROM sandbox_processor_intents WHERE id = ${charge.paymentIntentId}`,
  )
}

export async function findCharge(db: Queryable, id: string): Promise<ChargeRow | null> {
  const [row] = await db.query<ChargeRow>(sql`${chargeSelection} WHERE c.id = ${id}`)
  return row ?? null
}

export async function findChargeOfIntent(db: Queryable, paymentIntentId: string): Promise<ChargeRow | null> {
  const [row] = await db.query<ChargeRow>(sql`${chargeSelection} WHERE c.payment_intent_id = ${paymentIntentId}`)
  return row ?? null
}

export async function findChargeOfRefund(db: Queryable, refundId: string): Promise<ChargeRow | null> {
  const [row] = await db.query<ChargeRow>(sql`${chargeSelection} WHERE r.id = ${refundId}`)
  return row ?? null
}

export async function findChargeOfDispute(db: Queryable, disputeId: string): Promise<ChargeRow | null> {
  const [row] = await db.query<ChargeRow>(sql`${chargeSelection} WHERE d.id = ${disputeId}`)
  return row ?? null
}

export async function insertRefund(
  tx: Queryable,
  refund: { id: string; chargeId: string; metadata: Record<string, string>; now: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO sandbox_processor_refunds (id, charge_id, metadata, created_at) VALUES (${refund.id}, ${refund.chargeId}, ${JSON.stringify(refund.metadata)}, ${refund.now})`,
  )
}

/** Opens the dispute of a charge, or changes the existing one, which then counts as opened now at the latest. */
export async function saveDispute(
  tx: Queryable,
  dispute: DisputeStatus & { id: string; chargeId: string; opensAt: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO sandbox_processor_disputes AS d (id, charge_id, status, created_at) VALUES (${dispute.id}, ${dispute.chargeId}, ${dispute.status}, ${dispute.opensAt})
     ON CONFLICT (charge_id) DO UPDATE SET status = excluded.status, created_at = least(d.created_at, excluded.created_at)`,
  )
}
