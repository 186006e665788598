import { batchedFor, inPlaces } from '../../base/core/batching'
import { type Database, type Queryable } from '../../base/core/platform'
import { type Row } from '../../base/core/rows'
import { openStates, releasedStates, type SettlementState, stateIn } from '../../base/core/settlement-state'
import { type Sql, sql } from '../../base/core/sql'
import { savedCardsSql } from '../../wallet/cards'
import { releaseAgentSpendSql, releaseSpendSql, returnGrantSql } from '../../wallet/limits'
import { isListedSql } from '../../wallet/merchants'
import { insertPaymentSql } from '../payments'
import { mayPaySql } from './authority-store'
import { type FinalMove, moves } from './states'

/** One attempt to charge a mandate. Amounts in minor units; `action_until` is null until the bank asks the cardholder. */
export type Settlement = Row<
  'Settlement',
  | 'id'
  | 'client_id'
  | 'principal_id'
  | 'tenant_id'
  | 'mandate_id'
  | 'idempotency_key'
  | 'request_digest'
  | 'state'
  | 'amount_minor'
  | 'currency'
  | 'merchant_audience'
  | 'connected_account_id'
  | 'application_fee_minor'
  | 'card_id'
  | 'payment_intent_id'
  | 'failure_code'
  | 'response'
  | 'reserved_at'
  | 'settled_at'
  | 'lease_until'
  | 'action_until',
  { state: SettlementState }
>

/** The fields that decide the answer to a request. */
export type SettlementStatus = Pick<Settlement, 'id' | 'state' | 'response' | 'action_until'>

const columns = sql`s.id, s.client_id, s.principal_id, s.tenant_id, s.mandate_id, s.idempotency_key, s.request_digest, s.state,
  s.amount_minor, s.currency, s.merchant_audience, s.connected_account_id, s.application_fee_minor, s.card_id,
  s.payment_intent_id, s.failure_code, s.response, s.reserved_at, s.settled_at, s.lease_until,
  s.action_until`

/** The key under which a client asked for a settlement. */
export interface SettlementKey {
  readonly clientId: string
  readonly idempotencyKey: string
}

const READ_TOGETHER_MAX = 50

/** Returns the settlement under a client's key; null when the key is new. */
export const findSettlementByKey = batchedFor<Database, SettlementKey, Settlement | null>(async (db, keys) => {
  const asked = keys.map(({ clientId, idempotencyKey }, place) => ({
    place,
    client_id: clientId,
    idempotency_key: idempotencyKey,
  }))
  const rows = await db.query<Settlement & { place: number }>(
    sql`SELECT asked.place, ${columns}
       FROM ${sql.rows('asked', { place: 'int', client_id: 'text', idempotency_key: 'text' }, asked)}
       JOIN settlements s ON s.client_id = asked.client_id AND s.idempotency_key = asked.idempotency_key`,
  )
  return inPlaces(rows, keys)
}, READ_TOGETHER_MAX)

/** Returns a settlement without the names and the card that {@link findSettlementDetails} adds. */
export async function findSettlement(db: Queryable, id: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(sql`SELECT ${columns} FROM settlements s WHERE s.id = ${id}`)
  return row ?? null
}

/** Returns the settlement that the processor's payment intent belongs to. */
export async function findSettlementByIntent(db: Queryable, paymentIntentId: string): Promise<Settlement | null> {
  const [row] = await db.query<Settlement>(
    sql`SELECT ${columns} FROM settlements s WHERE s.payment_intent_id = ${paymentIntentId}`,
  )
  return row ?? null
}

/** A settlement with the names under which the person knows agent and merchant, and the card that it charges. */
export type SettlementDetails = Settlement &
  Row<'CardMandate', 'customer_id' | 'payment_method_id' | 'brand' | 'last4'> &
  Row<'Principal', 'email'> & { agent_name: string; merchant_name: string | null; merchant_verified: boolean }

/** SQL that selects the details of the settlements in `from`, which names them `s`. */
export const detailsSql = (from: Sql): Sql =>
  sql`SELECT ${columns}, c.shown_name AS agent_name, m.business_name AS merchant_name,
            ${isListedSql(sql`m`, sql`s.reserved_at`)} AS merchant_verified, p.email, card.customer_id, card.payment_method_id, card.brand, card.last4
       FROM ${from} JOIN agents c ON c.id = s.client_id JOIN principal_profiles p ON p.id = s.principal_id
       JOIN ${savedCardsSql} card ON card.id = s.card_id
       LEFT JOIN merchant_profiles m ON m.merchant_audience = s.merchant_audience`

const details = detailsSql(sql`settlements s`)

export async function findSettlementDetails(db: Queryable, id: string): Promise<SettlementDetails | null> {
  const [row] = await db.query<SettlementDetails>(sql`${details} WHERE s.id = ${id}`)
  return row ?? null
}

/**
 * Stores the processor's handle, after which money may move, if the settlement has none or this one and its agent may
 * still pay. A freeze after `freezeWaitsSince` does not stop a settlement that is still reserved, since that freeze
 * waits for it. Returns false when this caller must not confirm the intent.
 */
export async function enterSubmission(
  db: Queryable,
  { id, paymentIntentId, freezeWaitsSince }: { id: string; paymentIntentId: string; freezeWaitsSince: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`WITH active AS (
       SELECT d.id AS mandate_id, p.frozen_at
         FROM active_clients c JOIN active_mandates d ON d.client_id = c.id
         JOIN active_token_families f ON f.id = d.family_id JOIN principal_profiles p ON p.id = d.principal_id
        WHERE d.id = (SELECT mandate_id FROM settlements WHERE id = ${id}) AND c.paused_at IS NULL AND NOT p.erased
          AND NOT p.processing_restricted
        FOR KEY SHARE OF c, f)
     UPDATE settlements AS s SET state = ${moves.submit.to}, payment_intent_id = ${paymentIntentId} FROM active
      WHERE s.id = ${id} AND s.mandate_id = active.mandate_id
        AND (active.frozen_at IS NULL OR s.state ${stateIn(['reserved'])} AND active.frozen_at > ${freezeWaitsSince})
        AND s.state ${stateIn(moves.submit.from)} AND (s.payment_intent_id IS NULL OR s.payment_intent_id = ${paymentIntentId})
      RETURNING s.id`,
  )
  return rows.length === 1
}

const deferred = sql`CASE WHEN state ${stateIn(moves.defer.from)} THEN ${moves.defer.to} ELSE state END`

/**
 * Marks the outcome unknown and schedules the next look-up; a settlement that waits for its cardholder only gets the
 * look-up.
 */
export async function markUnknown(db: Queryable, id: string, lookAt: Date): Promise<void> {
  await db.query(
    sql`UPDATE settlements SET state = ${deferred}, lease_until = ${lookAt} WHERE id = ${id} AND state ${stateIn(openStates)}`,
  )
}

/**
 * Records that the bank waits for the cardholder. Returns false when that is recorded already, or the settlement is
 * final.
 */
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

/**
 * Returns the person's settlements that wait for an answer to their bank and may still be charged, the earliest deadline
 * first; at most 50.
 */
export async function listWaitingSettlements(
  db: Queryable,
  principalId: string,
  now: Date,
): Promise<SettlementDetails[]> {
  return db.query<SettlementDetails>(
    sql`${details} WHERE s.principal_id = ${principalId} AND s.state ${stateIn(['requires_action'])} AND s.action_until > ${now}
        AND ${mayPaySql(sql`s.mandate_id`)}
      ORDER BY s.action_until, s.id LIMIT 50`,
  )
}

/** Returns the person's settlements that wait for their bank although their agents may not pay any more. */
export async function listWithdrawnSettlements(db: Queryable, principalId: string): Promise<SettlementDetails[]> {
  return db.query<SettlementDetails>(
    sql`${details} WHERE s.principal_id = ${principalId} AND s.state ${stateIn(['requires_action'])}
        AND NOT ${mayPaySql(sql`s.mandate_id`)}`,
  )
}

/**
 * Claims settlements that no process works on any more; each goes to one caller, however many processes ask. A lease
 * that ends later than `latestLease` was written by a wrong clock and is ignored.
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
      RETURNING ${columns}`,
  )
}

export interface Finalisation {
  readonly id: string
  readonly move: FinalMove
  readonly paymentIntentId: string | null
  readonly failureCode: string | null
  readonly response: string
  readonly settledAt: Date
  /** The signed receipt; null for a failure. */
  readonly receiptJws: string | null
}

/**
 * Writes the outcome once, with the payment of a charge that succeeded; moves the held money of person and agent to
 * spent or releases it, and gives back the grant of a settlement that failed. Returns false when the settlement had its
 * outcome already: webhook, resolver and request may all try.
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
       RETURNING id, principal_id, client_id, tenant_id, mandate_id, merchant_audience, payment_intent_id, day, currency, amount_minor),
     paid AS (${insertPaymentSql({ settlement: sql`done`, receiptJws: outcome.receiptJws, settledAt: outcome.settledAt })}),
     counted AS (${releaseSpendSql({ settlement: sql`done`, isSpent })}),
     counted_for_agent AS (${releaseAgentSpendSql({ settlement: sql`counted`, isSpent })}),
     returned AS (${returnGrantSql({ settlement: sql`done`, isSpent })})
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

/** Records that a charge must be refunded; returns false when that is recorded already. */
export async function insertRefund(tx: Queryable, refund: NewRefund): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO refunds (payment_intent_id, settlement_id, principal_id, reason, amount_minor, currency, demanded_at)
     VALUES (${refund.paymentIntentId}, ${refund.settlementId}, ${refund.principalId}, ${refund.reason}, ${refund.amountMinor}::bigint, ${refund.currency}, ${refund.now}) ON CONFLICT (payment_intent_id) DO NOTHING RETURNING payment_intent_id`,
  )
  return rows.length === 1
}

/** A refund with the members of its settlement that its audit entry names. */
type Refund = Row<'Refund', 'payment_intent_id' | 'settlement_id' | 'reason' | 'amount_minor' | 'currency'> &
  Pick<Settlement, 'tenant_id' | 'principal_id' | 'mandate_id' | 'merchant_audience'>

/** Records that the processor has refunded a charge; returns null when that is recorded already. */
export async function markRefunded(tx: Queryable, paymentIntentId: string, now: Date): Promise<Refund | null> {
  const [refund] = await tx.query<Refund>(
    sql`UPDATE refunds r SET refunded_at = ${now} FROM settlements s
     WHERE r.payment_intent_id = ${paymentIntentId} AND r.refunded_at IS NULL AND s.id = r.settlement_id
     RETURNING r.payment_intent_id, r.settlement_id, r.reason, r.amount_minor, r.currency,
               s.tenant_id, s.principal_id, s.mandate_id, s.merchant_audience`,
  )
  return refund ?? null
}

/** SQL expression: the items of the purchase that this token family was issued for, as jsonb. */
export const agreedItemsSql = (familyId: Sql): Sql =>
  sql`(SELECT i.line_items FROM agreed_items i WHERE i.family_id = ${familyId})`

/**
 * SQL expression: the settlement of a mandate as `{ id, state }`: the one that did not fail, otherwise the newest; null
 * before the first.
 */
export const settlementOfMandateSql = (mandate: { readonly principalId: string; readonly id: Sql }): Sql =>
  sql`(SELECT jsonb_build_object('id', s.id, 'state', s.state) FROM settlements s
     WHERE s.principal_id = ${mandate.principalId} AND s.mandate_id = ${mandate.id}
     ORDER BY (s.state NOT ${stateIn(releasedStates)}) DESC, s.reserved_at DESC LIMIT 1)`

/**
 * SQL expression: a text that changes whenever a settlement of the person's last day changes its state; part of the
 * portal's revision.
 */
export const settlementsRevisionSql = (principalId: string, now: Date): Sql =>
  sql`(SELECT string_agg(state || count, ',' ORDER BY state)
     FROM (SELECT state, count(*) AS count FROM settlements
            WHERE principal_id = ${principalId} AND reserved_at > ${now}::timestamptz - interval '1 day'
            GROUP BY state) by_state)`
