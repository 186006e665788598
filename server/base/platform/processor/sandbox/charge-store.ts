import type { Queryable } from '../../../core/platform'
import { sql } from '../../../core/sql'

export interface ChargeRow {
  readonly id: string
  readonly payment_intent_id: string
  readonly customer_id: string
  readonly payment_method_id: string | null
  readonly connected_account_id: string | null
  readonly application_fee_minor: number | null
  readonly metadata: Readonly<Record<string, string>>
  readonly amount_minor: number
  readonly currency: string
  readonly decides_at: Date | null
  readonly created_at: Date
  readonly refund_id: string | null
  readonly refund_metadata: Readonly<Record<string, string>> | null
  readonly refunded_at: Date | null
  readonly dispute_id: string | null
  readonly dispute_status: 'needs_response' | 'won' | 'lost' | null
  readonly disputed_at: Date | null
}

const chargeSelection = sql`SELECT c.id, c.payment_intent_id, i.customer_id, i.payment_method_id, i.connected_account_id,
    i.application_fee_minor, i.metadata, c.amount_minor, c.currency, i.decides_at, c.created_at, r.id AS refund_id,
    r.metadata AS refund_metadata, r.created_at AS refunded_at, d.id AS dispute_id, d.status AS dispute_status,
    d.created_at AS disputed_at
  FROM sandbox_processor_charges c JOIN sandbox_processor_intents i ON i.id = c.payment_intent_id
  LEFT JOIN sandbox_processor_refunds r ON r.charge_id = c.id LEFT JOIN sandbox_processor_disputes d ON d.charge_id = c.id`

/** Writes the captured charge of a payment intent; the ledger refuses a second one. */
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

/** Opens the dispute of a charge, or moves the one that there is, which then was opened at the latest now. */
export async function saveDispute(
  tx: Queryable,
  dispute: { id: string; chargeId: string; status: 'needs_response' | 'won' | 'lost'; opensAt: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO sandbox_processor_disputes AS d (id, charge_id, status, created_at) VALUES (${dispute.id}, ${dispute.chargeId}, ${dispute.status}, ${dispute.opensAt})
     ON CONFLICT (charge_id) DO UPDATE SET status = excluded.status, created_at = least(d.created_at, excluded.created_at)`,
  )
}
