import type { Transaction } from '../../base/core/platform'
import { releasedStates, stateIn } from '../../base/core/settlement-state'
import { sql } from '../../base/core/sql'
import type { MandateRow } from '../../oauth/mandates'
import { excessOf, type Grant, type LimitKind, type LimitScope, utcDay } from '../../wallet/limits'
import { SUBMISSION_LEASE_SECONDS } from './bounds'
import { moves } from './states'

export interface ReservationOrder {
  readonly mandate: MandateRow
  /** Token families that must live: the mandate's, and that of the token it came with. */
  readonly familyIds: readonly string[]
  readonly idempotencyKey: string
  readonly requestDigest: string
  readonly connectedAccountId: string | null
  readonly applicationFeeMinor: number
  readonly now: Date
}

export type NumberedOrder = ReservationOrder & { readonly settlementId: string }

/** The order when it fits what can be told before the day's counters are locked: currencies, amounts and counts. */
const fits = sql`SELECT b.* FROM bounds b
        WHERE coalesce(b.wallet_currency = b.currency OR (b.daily_cap IS NULL AND b.single_cap IS NULL), true)
          AND coalesce(b.agent_currency = b.currency OR (b.agent_daily_cap IS NULL AND b.agent_single_cap IS NULL), true)
          AND coalesce(b.amount_minor <= least(b.single_cap, b.agent_single_cap, b.daily_cap, b.agent_daily_cap), true)
          AND (b.velocity IS NULL OR b.velocity > (
            SELECT count(*) FROM settlements s
             WHERE s.principal_id = b.principal_id AND s.state NOT ${stateIn(releasedStates)}
               AND s.reserved_at > b.now - make_interval(secs => b.velocity_window_seconds)))
          AND (b.agent_velocity IS NULL OR b.agent_velocity > (
            SELECT count(*) FROM settlements s
             WHERE s.client_id = b.client_id AND s.state NOT ${stateIn(releasedStates)}
               AND s.reserved_at > b.now - make_interval(secs => b.agent_window_seconds)))`

/**
 * Holds the amount in both of the day's counters, takes the grants and writes the settlement, checking the caps and counts
 * of wallet and agent, their currencies and the grants once more: where judgement and bounds disagreed, no settlement would
 * be written. Returns whether one was.
 */
export async function holdMoney(
  tx: Transaction,
  order: NumberedOrder,
  { cardId, grants }: { cardId: string; grants: readonly Grant[] },
): Promise<boolean> {
  const { mandate, now } = order
  const wallet = excessesFor('wallet', grants)
  const agent = excessesFor('agent', grants)
  const leaseUntil = new Date(now.getTime() + SUBMISSION_LEASE_SECONDS * 1000)
  const rows = await tx.query(sql`WITH asked AS (
       SELECT ${order.settlementId}::text AS settlement_id, ${mandate.principal_id}::text AS principal_id,
              ${mandate.client_id}::text AS client_id, ${mandate.amount_minor}::bigint AS amount_minor,
              ${mandate.currency}::text AS currency, ${utcDay(now)}::date AS day, ${now}::timestamptz AS now,
              ${grants.map((grant) => grant.bumpId)}::text[] AS grants),
     bounds AS (
       SELECT asked.*, l.daily_cap_minor + ${wallet.daily_cap}::bigint AS daily_cap,
              l.single_txn_cap_minor + ${wallet.single_txn_cap}::bigint AS single_cap,
              l.velocity_count + ${wallet.velocity}::bigint AS velocity, l.velocity_window_seconds,
              l.currency AS wallet_currency, a.currency AS agent_currency,
              a.daily_cap_minor + ${agent.daily_cap}::bigint AS agent_daily_cap,
              a.single_txn_cap_minor + ${agent.single_txn_cap}::bigint AS agent_single_cap,
              a.velocity_count + ${agent.velocity}::bigint AS agent_velocity,
              a.velocity_window_seconds AS agent_window_seconds
         FROM asked LEFT JOIN wallet_limits l ON l.principal_id = asked.principal_id
         LEFT JOIN agent_limits a ON a.client_id = asked.client_id),
     fits AS (${fits}),
     held AS (
       INSERT INTO spend_counters AS c (principal_id, day, currency, reserved_minor)
       SELECT principal_id, day, currency, amount_minor FROM fits
       ON CONFLICT (principal_id, day, currency) DO UPDATE SET reserved_minor = c.reserved_minor + excluded.reserved_minor
         WHERE (SELECT daily_cap FROM bounds) IS NULL
            OR c.spent_minor + c.reserved_minor + excluded.reserved_minor <= (SELECT daily_cap FROM bounds)
       RETURNING 1),
     held_of_agent AS (
       INSERT INTO agent_spend_counters AS c (client_id, day, currency, reserved_minor)
       SELECT client_id, day, currency, amount_minor FROM asked WHERE EXISTS (SELECT 1 FROM held)
       ON CONFLICT (client_id, day, currency) DO UPDATE SET reserved_minor = c.reserved_minor + excluded.reserved_minor
         WHERE (SELECT agent_daily_cap FROM bounds) IS NULL
            OR c.spent_minor + c.reserved_minor + excluded.reserved_minor <= (SELECT agent_daily_cap FROM bounds)
       RETURNING 1),
     taken AS (
       UPDATE limit_bumps b SET used_by = asked.settlement_id FROM asked
        WHERE b.id = ANY (asked.grants) AND b.status = 'approved' AND b.used_by IS NULL RETURNING b.id)
     INSERT INTO settlements (id, principal_id, client_id, tenant_id, mandate_id, amount_minor, currency, merchant_audience,
                              idempotency_key, request_digest, connected_account_id, application_fee_minor, card_id, day,
                              reserved_at, lease_until, limit_bump_id, state)
     SELECT settlement_id, principal_id, client_id, ${mandate.tenant_id}, ${mandate.id}, amount_minor, currency,
            ${mandate.merchant_audience}, ${order.idempotencyKey}, ${order.requestDigest}, ${order.connectedAccountId},
            ${order.applicationFeeMinor}::bigint, ${cardId}, day, now, ${leaseUntil}::timestamptz, grants[1], ${moves.reserve.to}
       FROM asked WHERE EXISTS (SELECT 1 FROM held_of_agent) AND (SELECT count(*) FROM taken) = cardinality(grants)
     ON CONFLICT DO NOTHING RETURNING id`)
  return rows.length === 1
}

/** By how much the grants lift the daily cap, the cap per payment and the count of one of the two. */
function excessesFor(scope: LimitScope, grants: readonly Grant[]): Readonly<Record<LimitKind, number>> {
  const liftedBy = (kind: LimitKind): number =>
    grants
      .filter((grant) => grant.scope === scope && grant.kind === kind)
      .reduce((sum, grant) => sum + excessOf(grant), 0)
  return {
    daily_cap: liftedBy('daily_cap'),
    single_txn_cap: liftedBy('single_txn_cap'),
    velocity: liftedBy('velocity'),
  }
}
