import type { Queryable } from '../../base/core/platform'
import { openStates, releasedStates, type SettlementState, stateIn } from '../../base/core/settlement-state'
import { type Sql, sql } from '../../base/core/sql'
import { type FinalMove, moves } from './states'

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

/** What the answer to a request depends on. */
export type SettlementStatus = Pick<Settlement, 'id' | 'state' | 'response' | 'action_until'>

const columns = `s.id, s.client_id, s.principal_id, s.tenant_id, s.mandate_id, s.idempotency_key, s.request_digest, s.state,
  s.amount_minor, s.currency, s.merchant_audience, s.connected_account_id, s.application_fee_minor, s.card_id,
  s.payment_intent_id, s.failure_code, s.response, s.reserved_at, s.settled_at, s.lease_until,
  s.action_until`

export async function findByKey(db: Queryable, clientId: string, key: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(
    sql`SELECT ${sql.raw(columns)} FROM settlements s WHERE s.client_id = ${clientId} AND s.idempotency_key = ${key}`,
  )
  return row ?? null
}

export async function findSettlement(db: Queryable, id: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(sql`SELECT ${sql.raw(columns)} FROM settlements s WHERE s.id = ${id}`)
  return row ?? null
}

/** The settlement that the processor's payment intent belongs to. */
export async function findByPaymentIntent(db: Queryable, paymentIntentId: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(
    sql`SELECT ${sql.raw(columns)} FROM settlements s WHERE s.payment_intent_id = ${paymentIntentId}`,
  )
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
  const [row] = await db.query<SettlementDetails>(sql`${sql.raw(detailsSql)} WHERE s.id = ${id}`)
  return row ?? null
}

/**
 * The step after which money may move: keeps the processor's handle, if the settlement still waits for one and agent,
 * token family and person still live. False when it must not be confirmed by this caller.
 */
export async function enterSubmission(db: Queryable, id: string, paymentIntentId: string): Promise<boolean> {
  const rows = await db.query(
    sql`WITH living AS (
       SELECT d.id AS mandate_id
         FROM clients c JOIN mandates d ON d.client_id = c.id JOIN token_families f ON f.id = d.family_id
         JOIN principals p ON p.id = d.principal_id
        WHERE d.id = (SELECT mandate_id FROM settlements WHERE id = ${id})
          AND d.revoked_at IS NULL AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased
        FOR KEY SHARE OF c, f)
     UPDATE settlements AS s SET state = ${moves.submit.to}, payment_intent_id = ${paymentIntentId} FROM living
      WHERE s.id = ${id} AND s.mandate_id = living.mandate_id
        AND s.state ${stateIn(moves.submit.from)} AND (s.payment_intent_id IS NULL OR s.payment_intent_id = ${paymentIntentId})
      RETURNING s.id`,
  )
  return rows.length === 1
}

/** Whether everything that the settlement acts for still lives. */
export async function isAuthorityAlive(db: Queryable, mandateId: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 FROM mandates d JOIN token_families f ON f.id = d.family_id
       JOIN clients c ON c.id = d.client_id JOIN principals p ON p.id = d.principal_id
      WHERE d.id = ${mandateId} AND d.revoked_at IS NULL AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased`,
  )
  return rows.length === 1
}

const deferred = sql`CASE WHEN state ${stateIn(moves.defer.from)} THEN ${moves.defer.to} ELSE state END`

/** Marks the outcome unknown and schedules the next look-up, which a settlement that waits for its cardholder gets too. */
export async function markUnknown(db: Queryable, id: string, lookAt: Date): Promise<void> {
  await db.query(
    sql`UPDATE settlements SET state = ${deferred}, lease_until = ${lookAt} WHERE id = ${id} AND state ${stateIn(openStates)}`,
  )
}

/** Says that the bank waits for the cardholder. False when that is known, or the settlement has its outcome. */
export async function markWaiting(
  db: Queryable,
  { id, paymentIntentId, lookAt, until }: { id: string; paymentIntentId: string; lookAt: Date; until: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE settlements SET state = ${moves.ask_cardholder.to}, payment_intent_id = ${paymentIntentId}, lease_until = ${lookAt}, action_until = ${until}
      WHERE id = ${id} AND state ${stateIn(moves.ask_cardholder.from)} AND (payment_intent_id IS NULL OR payment_intent_id = ${paymentIntentId})
      RETURNING id`,
  )
  return rows.length === 1
}

/** Settlements of the person whose bank waits for them, the most urgent first. */
export async function listWaiting(db: Queryable, principalId: string, now: Date): Promise<SettlementDetails[]> {
  return db.query<SettlementDetails>(
    sql`${sql.raw(detailsSql)} WHERE s.principal_id = ${principalId} AND s.state ${stateIn(['requires_action'])} AND s.action_until > ${now}
      ORDER BY s.action_until, s.id LIMIT 50`,
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
    sql`UPDATE settlements AS s
        SET state = ${deferred}, lease_until = ${claim.leaseUntil}
      WHERE s.id IN (SELECT id FROM settlements
                      WHERE state ${stateIn(openStates)}
                        AND (lease_until <= ${claim.now} OR lease_until > ${claim.latestLease})
                      ORDER BY lease_until LIMIT ${claim.limit}::int FOR UPDATE SKIP LOCKED)
      RETURNING ${sql.raw(columns)}`,
  )
}

export interface Finalisation {
  readonly id: string
  readonly move: FinalMove
  readonly paymentIntentId: string | null
  readonly failureCode: string | null
  readonly response: string
  readonly settledAt: Date
}

/**
 * Writes the outcome once, moves the held money to spent or releases it, for person and agent alike, and gives grants
 * back that were not needed after all. False when the settlement had its outcome already: webhook, resolver and request may all try.
 */
export async function writeOutcome(tx: Queryable, outcome: Finalisation): Promise<boolean> {
  const { from, to } = moves[outcome.move]
  const isSpent = to === 'succeeded'
  const [row] = await tx.query<{ written: number }>(
    sql`WITH done AS (
       UPDATE settlements SET state = ${to}, payment_intent_id = coalesce(payment_intent_id, ${outcome.paymentIntentId}),
                              failure_code = ${outcome.failureCode}, response = ${outcome.response}, settled_at = ${outcome.settledAt}
        WHERE id = ${outcome.id} AND state ${stateIn(from)}
          AND (payment_intent_id IS NULL OR NOT ${outcome.move === 'release'}::boolean)
          AND (payment_intent_id IS NULL OR ${outcome.paymentIntentId}::text IS NULL OR payment_intent_id = ${outcome.paymentIntentId})
       RETURNING id, principal_id, client_id, day, currency, amount_minor),
     counted AS (
       UPDATE spend_counters AS c
          SET reserved_minor = c.reserved_minor - done.amount_minor,
              spent_minor = c.spent_minor + CASE WHEN ${isSpent}::boolean THEN done.amount_minor ELSE 0 END
         FROM done WHERE c.principal_id = done.principal_id AND c.day = done.day AND c.currency = done.currency
       RETURNING done.*),
     counted_for_agent AS (
       UPDATE agent_spend_counters AS c
          SET reserved_minor = c.reserved_minor - counted.amount_minor,
              spent_minor = c.spent_minor + CASE WHEN ${isSpent}::boolean THEN counted.amount_minor ELSE 0 END
         FROM counted WHERE c.client_id = counted.client_id AND c.day = counted.day AND c.currency = counted.currency
       RETURNING 1),
     returned AS (
       UPDATE limit_bumps AS b SET used_by = NULL FROM done
        WHERE NOT ${isSpent}::boolean AND b.used_by = done.id RETURNING 1)
     SELECT count(*) AS written FROM done`,
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
    sql`INSERT INTO refunds (payment_intent_id, settlement_id, principal_id, reason, amount_minor, currency, demanded_at)
     VALUES (${refund.paymentIntentId}, ${refund.settlementId}, ${refund.principalId}, ${refund.reason}, ${refund.amountMinor}::bigint, ${refund.currency}, ${refund.now}) ON CONFLICT (payment_intent_id) DO NOTHING RETURNING payment_intent_id`,
  )
  return rows.length === 1
}

export async function markRefunded(db: Queryable, paymentIntentId: string, now: Date): Promise<void> {
  await db.query(
    sql`UPDATE refunds SET refunded_at = ${now} WHERE payment_intent_id = ${paymentIntentId} AND refunded_at IS NULL`,
  )
}

/**
 * The settlement of a mandate as `{ id, state }`, or null before the first: the one that did not fail, else the newest.
 * An expression of a larger statement.
 */
export const settlementOfMandateSql = (mandate: { readonly principalId: string; readonly id: Sql }): Sql =>
  sql`(SELECT jsonb_build_object('id', s.id, 'state', s.state) FROM settlements s
     WHERE s.principal_id = ${mandate.principalId} AND s.mandate_id = ${mandate.id}
     ORDER BY (s.state NOT ${stateIn(releasedStates)}) DESC, s.reserved_at DESC LIMIT 1)`

/** Changes with the states of the person's settlements of the last day: a text, as an expression of a larger statement. */
export const settlementsRevisionSql = (principalId: string, now: Date): Sql =>
  sql`(SELECT string_agg(state || count, ',' ORDER BY state)
     FROM (SELECT state, count(*) AS count FROM settlements
            WHERE principal_id = ${principalId} AND reserved_at > ${now}::timestamptz - interval '1 day'
            GROUP BY state) by_state)`
