import type { Queryable } from '../core/platform'

export type SettlementState = 'reserved' | 'submitting' | 'requires_action' | 'unknown' | 'succeeded' | 'failed'

/** One attempt to charge a mandate. Amounts in minor units. */
export interface Settlement {
  readonly id: string
  readonly client_id: string
  readonly principal_id: string
  readonly tenant_id: string
  readonly mandate_id: string
  readonly idempotency_key: string
  readonly request_digest: string
  readonly state: SettlementState
  readonly amount_minor: number
  readonly currency: string
  readonly merchant_audience: string
  readonly connected_account_id: string | null
  readonly application_fee_minor: number
  readonly card_id: string
  readonly payment_intent_id: string | null
  readonly failure_code: string | null
  readonly response: string | null
  readonly reserved_at: Date
  readonly settled_at: Date | null
  readonly lease_until: Date
  /** Until when the cardholder may answer their bank; null when the bank has not asked. */
  readonly action_until: Date | null
}

/** How a settlement stands, as far as its answer goes. */
export type Standing = Pick<Settlement, 'id' | 'state' | 'response' | 'action_until'>

const columns = `s.id, s.client_id, s.principal_id, s.tenant_id, s.mandate_id, s.idempotency_key, s.request_digest, s.state,
  s.amount_minor, s.currency, s.merchant_audience, s.connected_account_id, s.application_fee_minor, s.card_id,
  s.payment_intent_id, s.failure_code, s.response, s.reserved_at, s.settled_at, s.lease_until,
  s.action_until`

export async function findByKey(db: Queryable, clientId: string, key: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(
    `SELECT ${columns} FROM settlements s WHERE s.client_id = $1 AND s.idempotency_key = $2`,
    [clientId, key],
  )
  return row ?? null
}

export async function findSettlement(db: Queryable, id: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(`SELECT ${columns} FROM settlements s WHERE s.id = $1`, [id])
  return row ?? null
}

/** The settlement that the processor's payment intent belongs to. */
export async function findByPaymentIntent(db: Queryable, paymentIntentId: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(`SELECT ${columns} FROM settlements s WHERE s.payment_intent_id = $1`, [
    paymentIntentId,
  ])
  return row ?? null
}

/** A settlement with the names that a person knows its parties by, and the card it charges. */
export interface SettlementDetails extends Settlement {
  readonly agent_name: string
  readonly merchant_name: string | null
  readonly email: string | null
  readonly customer_id: string
  readonly payment_method_id: string
  readonly brand: string
  readonly last4: string
}

const detailsSql = `SELECT ${columns}, c.name AS agent_name, m.business_name AS merchant_name,
            CASE WHEN p.erased THEN NULL ELSE p.email END AS email,
            card.customer_id, card.payment_method_id, card.brand, card.last4
       FROM settlements s JOIN clients c ON c.id = s.client_id JOIN principals p ON p.id = s.principal_id
       JOIN card_mandates card ON card.id = s.card_id
       LEFT JOIN merchants m ON m.merchant_audience = s.merchant_audience`

export async function findDetails(db: Queryable, id: string): Promise<SettlementDetails | null> {
  const [row] = await db.query<SettlementDetails>(`${detailsSql} WHERE s.id = $1`, [id])
  return row ?? null
}

/**
 * The step after which money may move: keeps the processor's handle, if the settlement still waits for one and agent,
 * token family and person still live. False when it must not be confirmed by this caller.
 */
export async function enterSubmission(db: Queryable, id: string, paymentIntentId: string): Promise<boolean> {
  const rows = await db.query(
    `WITH living AS (
       SELECT d.id AS mandate_id
         FROM clients c JOIN mandates d ON d.client_id = c.id JOIN token_families f ON f.id = d.family_id
         JOIN principals p ON p.id = d.principal_id
        WHERE d.id = (SELECT mandate_id FROM settlements WHERE id = $1)
          AND d.revoked_at IS NULL AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased
        FOR KEY SHARE OF c, f)
     UPDATE settlements AS s SET state = 'submitting', payment_intent_id = $2 FROM living
      WHERE s.id = $1 AND s.mandate_id = living.mandate_id
        AND s.state IN ('reserved', 'unknown') AND (s.payment_intent_id IS NULL OR s.payment_intent_id = $2)
      RETURNING s.id`,
    [id, paymentIntentId],
  )
  return rows.length === 1
}

/** Whether everything that the settlement acts for still lives. */
export async function isAuthorityAlive(db: Queryable, mandateId: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM mandates d JOIN token_families f ON f.id = d.family_id
       JOIN clients c ON c.id = d.client_id JOIN principals p ON p.id = d.principal_id
      WHERE d.id = $1 AND d.revoked_at IS NULL AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased`,
    [mandateId],
  )
  return rows.length === 1
}

/** Says that nobody knows the outcome yet, and when the processor is to be asked. */
export async function markUnknown(db: Queryable, id: string, lookAt: Date): Promise<void> {
  await db.query(
    `UPDATE settlements SET state = CASE state WHEN 'requires_action' THEN state ELSE 'unknown' END, lease_until = $2
      WHERE id = $1 AND state NOT IN ('succeeded', 'failed')`,
    [id, lookAt],
  )
}

/** Says that the bank waits for the cardholder. False when that is known, or the settlement has its outcome. */
export async function markWaiting(
  db: Queryable,
  { id, paymentIntentId, lookAt, until }: { id: string; paymentIntentId: string; lookAt: Date; until: Date },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE settlements SET state = 'requires_action', payment_intent_id = $2, lease_until = $3, action_until = $4
      WHERE id = $1 AND state IN ('submitting', 'unknown') AND (payment_intent_id IS NULL OR payment_intent_id = $2)
      RETURNING id`,
    [id, paymentIntentId, lookAt, until],
  )
  return rows.length === 1
}

/** Settlements of the person whose bank waits for them, the most urgent first. */
export async function listWaiting(db: Queryable, principalId: string, now: Date): Promise<SettlementDetails[]> {
  return db.query<SettlementDetails>(
    `${detailsSql} WHERE s.principal_id = $1 AND s.state = 'requires_action' AND s.action_until > $2
      ORDER BY s.action_until, s.id LIMIT 50`,
    [principalId, now],
  )
}

/**
 * Takes settlements that nobody works on any more; each goes to one caller, however many processes ask. A lease that ends
 * later than any lease can was written by a clock that was wrong, and binds nobody.
 */
export async function claimUnresolved(
  db: Queryable,
  claim: { now: Date; leaseUntil: Date; latestLease: Date; limit: number },
): Promise<Settlement[]> {
  return db.query<Settlement>(
    `UPDATE settlements AS s
        SET state = CASE state WHEN 'requires_action' THEN state ELSE 'unknown' END, lease_until = $2
      WHERE s.id IN (SELECT id FROM settlements
                      WHERE state IN ('reserved', 'submitting', 'requires_action', 'unknown')
                        AND (lease_until <= $1 OR lease_until > $4)
                      ORDER BY lease_until LIMIT $3::int FOR UPDATE SKIP LOCKED)
      RETURNING ${columns}`,
    [claim.now, claim.leaseUntil, claim.limit, claim.latestLease],
  )
}

export interface Finalisation {
  readonly id: string
  readonly state: 'succeeded' | 'failed'
  readonly paymentIntentId: string | null
  readonly failureCode: string | null
  readonly response: string
  readonly settledAt: Date
  /** The failure is that the processor was never told to move money, so a settlement that was is left alone. */
  readonly onlyIfNeverSubmitted: boolean
  /** The intent can move no money any more, not even when the cardholder answers their bank. */
  readonly isClosed: boolean
}

/**
 * Writes the outcome once, moves the held money to spent or releases it, for person and agent alike, and gives grants
 * back that were not needed after all. False when the settlement had its outcome already: webhook, resolver and request may all try.
 */
export async function writeOutcome(tx: Queryable, outcome: Finalisation): Promise<boolean> {
  const [row] = await tx.query<{ written: number }>(
    `WITH done AS (
       UPDATE settlements SET state = $2, payment_intent_id = coalesce(payment_intent_id, $3), failure_code = $4,
                              response = $5, settled_at = $6
        WHERE id = $1 AND state IN ('reserved', 'submitting', 'requires_action', 'unknown')
          AND (NOT $7::boolean OR payment_intent_id IS NULL)
          AND (payment_intent_id IS NULL OR $3::text IS NULL OR payment_intent_id = $3)
          AND ($2 = 'succeeded' OR $8::boolean OR state <> 'requires_action')
       RETURNING id, principal_id, client_id, day, currency, amount_minor),
     counted AS (
       UPDATE spend_counters AS c
          SET reserved_minor = c.reserved_minor - done.amount_minor,
              spent_minor = c.spent_minor + CASE WHEN $2 = 'succeeded' THEN done.amount_minor ELSE 0 END
         FROM done WHERE c.principal_id = done.principal_id AND c.day = done.day AND c.currency = done.currency
       RETURNING done.*),
     counted_for_agent AS (
       UPDATE agent_spend_counters AS c
          SET reserved_minor = c.reserved_minor - counted.amount_minor,
              spent_minor = c.spent_minor + CASE WHEN $2 = 'succeeded' THEN counted.amount_minor ELSE 0 END
         FROM counted WHERE c.client_id = counted.client_id AND c.day = counted.day AND c.currency = counted.currency
       RETURNING 1),
     returned AS (
       UPDATE limit_bumps AS b SET used_by = NULL FROM done WHERE $2 = 'failed' AND b.used_by = done.id RETURNING 1)
     SELECT count(*) AS written FROM done`,
    [
      outcome.id,
      outcome.state,
      outcome.paymentIntentId,
      outcome.failureCode,
      outcome.response,
      outcome.settledAt,
      outcome.onlyIfNeverSubmitted,
      outcome.isClosed,
    ],
  )
  return row?.written === 1
}

export interface NewRefund {
  readonly paymentIntentId: string
  readonly settlementId: string
  readonly principalId: string
  readonly reason: string
  readonly amountMinor: number
  readonly currency: string
  readonly now: Date
}

/** Writes that a charge is to be given back; false when that is known. */
export async function insertRefund(tx: Queryable, refund: NewRefund): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO refunds (payment_intent_id, settlement_id, principal_id, reason, amount_minor, currency, demanded_at)
     VALUES ($1, $2, $3, $4, $5::bigint, $6, $7) ON CONFLICT (payment_intent_id) DO NOTHING RETURNING payment_intent_id`,
    [
      refund.paymentIntentId,
      refund.settlementId,
      refund.principalId,
      refund.reason,
      refund.amountMinor,
      refund.currency,
      refund.now,
    ],
  )
  return rows.length === 1
}

export async function markRefunded(db: Queryable, paymentIntentId: string, now: Date): Promise<void> {
  await db.query('UPDATE refunds SET refunded_at = $2 WHERE payment_intent_id = $1 AND refunded_at IS NULL', [
    paymentIntentId,
    now,
  ])
}
