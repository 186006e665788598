import type { Queryable } from '@/server/core/platform'

export interface IntentRow {
  readonly id: string
  readonly kind: 'setup' | 'payment'
  readonly customer_id: string
  readonly principal_id: string | null
  readonly settlement_id: string | null
  readonly payment_method_id: string | null
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly client_secret: string | null
  readonly status: string
  readonly failure_code: string | null
  readonly decides_at: Date | null
}

export interface CardRow {
  readonly payment_method_id: string
  readonly behaviour: string
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
}

const intentColumns = `id, kind, customer_id, principal_id, settlement_id, payment_method_id, amount_minor, currency,
  client_secret, status, failure_code, decides_at`

export interface NewIntent extends Omit<IntentRow, 'failure_code' | 'decides_at'> {
  readonly idempotency_key: string
  readonly connected_account_id: string | null
  readonly application_fee_minor: number | null
  readonly created_at: Date
}

/** Creates the intent, or returns the one that was created under the same key. */
export async function insertIntent(db: Queryable, intent: NewIntent): Promise<IntentRow> {
  const [row] = await db.query<IntentRow>(
    `INSERT INTO sandbox_processor_intents AS i (id, kind, idempotency_key, customer_id, principal_id, settlement_id,
       payment_method_id, amount_minor, currency, connected_account_id, application_fee_minor, client_secret, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (idempotency_key) DO UPDATE SET status = i.status
     RETURNING ${intentColumns}`,
    [
      intent.id,
      intent.kind,
      intent.idempotency_key,
      intent.customer_id,
      intent.principal_id,
      intent.settlement_id,
      intent.payment_method_id,
      intent.amount_minor,
      intent.currency,
      intent.connected_account_id,
      intent.application_fee_minor,
      intent.client_secret,
      intent.status,
      intent.created_at,
    ],
  )
  if (row === undefined) throw new Error('the intent was not stored')
  return row
}

export async function findIntent(db: Queryable, id: string, kind: IntentRow['kind']): Promise<IntentRow | null> {
  const [row] = await db.query<IntentRow>(
    `SELECT ${intentColumns} FROM sandbox_processor_intents WHERE id = $1 AND kind = $2`,
    [id, kind],
  )
  return row ?? null
}

/** The intent, locked until the transaction ends: what happens to it happens once. */
export async function lockIntent(tx: Queryable, id: string, kind: IntentRow['kind']): Promise<IntentRow | null> {
  const [row] = await tx.query<IntentRow>(
    `SELECT ${intentColumns} FROM sandbox_processor_intents WHERE id = $1 AND kind = $2 FOR UPDATE`,
    [id, kind],
  )
  return row ?? null
}

export async function findIntentOfSettlement(db: Queryable, settlementId: string): Promise<{ id: string } | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT id FROM sandbox_processor_intents WHERE settlement_id = $1 AND kind = 'payment' ORDER BY created_at LIMIT 1`,
    [settlementId],
  )
  return row ?? null
}

export async function decideIntent(
  tx: Queryable,
  id: string,
  decision: { status: string; failureCode: string | null; decidesAt: Date | null; paymentMethodId: string | null },
): Promise<void> {
  await tx.query(
    `UPDATE sandbox_processor_intents SET status = $2, failure_code = $3, decides_at = $4,
                                          payment_method_id = coalesce($5, payment_method_id)
      WHERE id = $1`,
    [id, decision.status, decision.failureCode, decision.decidesAt, decision.paymentMethodId],
  )
}

export async function findCard(db: Queryable, paymentMethodId: string | null): Promise<CardRow | null> {
  if (paymentMethodId === null) return null
  const [row] = await db.query<CardRow>(
    `SELECT payment_method_id, behaviour, brand, last4, exp_month, exp_year FROM sandbox_processor_cards
      WHERE payment_method_id = $1`,
    [paymentMethodId],
  )
  return row ?? null
}

export async function insertCard(
  tx: Queryable,
  card: CardRow & { customer_id: string; created_at: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox_processor_cards (payment_method_id, customer_id, behaviour, brand, last4, exp_month, exp_year, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      card.payment_method_id,
      card.customer_id,
      card.behaviour,
      card.brand,
      card.last4,
      card.exp_month,
      card.exp_year,
      card.created_at,
    ],
  )
}

/** Writes the captured charge of a payment intent; the ledger refuses a second one. */
export async function insertCharge(
  tx: Queryable,
  charge: { id: string; paymentIntentId: string; now: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox_processor_charges (id, payment_intent_id, settlement_id, amount_minor, currency, created_at)
     SELECT $1, id, settlement_id, amount_minor, currency, $3 FROM sandbox_processor_intents WHERE id = $2`,
    [charge.id, charge.paymentIntentId, charge.now],
  )
}

export interface NewEvent {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly deliveries: number
  readonly dueAt: Date
  readonly now: Date
}

export async function insertEvent(tx: Queryable, event: NewEvent): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox_processor_events (id, type, body, deliveries_left, next_attempt_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [event.id, event.type, event.body, event.deliveries, event.dueAt, event.now],
  )
}

export interface DueEvent {
  readonly id: string
  readonly body: string
  readonly deliveries_left: number
}

const EVENT_BATCH = 20
const EVENT_ATTEMPTS_MAX = 25
const EVENT_PAUSE_MAX_SECONDS = 300

/** Takes events that are due; each goes to one caller, and to another one later unless its delivery is noted. */
export async function claimDueEvents(db: Queryable, now: Date): Promise<DueEvent[]> {
  return db.query<DueEvent>(
    `UPDATE sandbox_processor_events
        SET attempts = attempts + 1,
            next_attempt_at = $1::timestamptz + make_interval(secs => least(${EVENT_PAUSE_MAX_SECONDS}, 2 ^ attempts))
      WHERE id IN (SELECT id FROM sandbox_processor_events
                    WHERE deliveries_left > 0 AND next_attempt_at <= $1 AND attempts < ${EVENT_ATTEMPTS_MAX}
                    ORDER BY next_attempt_at LIMIT ${EVENT_BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING id, body, deliveries_left`,
    [now],
  )
}

export async function noteDelivered(db: Queryable, id: string, count: number): Promise<void> {
  await db.query(
    'UPDATE sandbox_processor_events SET deliveries_left = greatest(0, deliveries_left - $2::int) WHERE id = $1',
    [id, count],
  )
}
