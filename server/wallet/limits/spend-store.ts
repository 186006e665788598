import { type Sql, sql } from '../../base/core/sql'
import { excessOf, type Grant, type LimitKind, type LimitScope } from './rules'
import { usedSinceSql } from './window-use-store'
import type { Windows } from './windows'

// A settlement holds its money in one statement and writes its outcome in another. These are the parts of both that
// concern limits; `payment` and `settlement` are the names of the statements' earlier parts.

/**
 * SQL query: the payment with the bounds of wallet and agent, its grant included. `payment` has principal_id,
 * client_id, day, currency, amount_minor and now.
 */
export function boundsSql({ payment, grant }: { readonly payment: Sql; readonly grant: Grant | null }): Sql {
  const wallet = excessesFor('wallet', grant)
  const agent = excessesFor('agent', grant)
  return sql`SELECT ${payment}.*, l.daily_cap_minor + ${wallet.daily_cap}::bigint AS daily_cap,
              l.weekly_cap_minor + ${wallet.weekly_cap}::bigint AS weekly_cap,
              l.monthly_cap_minor + ${wallet.monthly_cap}::bigint AS monthly_cap,
              l.single_txn_cap_minor + ${wallet.single_txn_cap}::bigint AS single_cap,
              l.velocity_count + ${wallet.velocity}::bigint AS velocity, l.velocity_window_seconds,
              l.currency AS wallet_currency, a.currency AS agent_currency,
              a.daily_cap_minor + ${agent.daily_cap}::bigint AS agent_daily_cap,
              a.weekly_cap_minor + ${agent.weekly_cap}::bigint AS agent_weekly_cap,
              a.monthly_cap_minor + ${agent.monthly_cap}::bigint AS agent_monthly_cap,
              a.single_txn_cap_minor + ${agent.single_txn_cap}::bigint AS agent_single_cap,
              a.velocity_count + ${agent.velocity}::bigint AS agent_velocity,
              a.velocity_window_seconds AS agent_window_seconds
         FROM ${payment} LEFT JOIN LATERAL ${walletLimitsSql(payment)} l ON true
         LEFT JOIN agent_limits a ON a.client_id = ${payment}.client_id`
}

const amounts = ['daily_cap_minor', 'weekly_cap_minor', 'monthly_cap_minor', 'single_txn_cap_minor'] as const
const amountInOther = sql.raw(
  amounts
    .map(
      (name) =>
        `CASE WHEN o.code IS NULL THEN w.${name} ELSE (w.other_currencies -> o.code ->> '${name}')::bigint END AS ${name}`,
    )
    .join(', '),
)
const hasAmountSql = sql.raw(`coalesce(${amounts.map((name) => `w.${name}`).join(', ')}) IS NOT NULL`)

/**
 * SQL FROM item: the person's limits that apply to a payment: caps in its currency where there are any, otherwise those
 * that refuse it. `code` names one of the other currencies; NULL for the row's own.
 */
const walletLimitsSql = (payment: Sql): Sql =>
  sql`(SELECT w.velocity_count, w.velocity_window_seconds, coalesce(o.code, w.currency) AS currency, ${amountInOther}
          FROM wallet_limits w CROSS JOIN LATERAL (
            SELECT CASE WHEN ${hasAmountSql} AND w.currency = ${payment}.currency THEN NULL
                        WHEN w.other_currencies -> ${payment}.currency IS NOT NULL THEN ${payment}.currency
                        WHEN ${hasAmountSql} THEN NULL
                        ELSE (SELECT min(code) FROM jsonb_object_keys(w.other_currencies) code) END AS code) o
         WHERE w.principal_id = ${payment}.principal_id)`

/** Returns the amount or count by which the grant lifts each limit of the wallet or the agent. */
function excessesFor(scope: LimitScope, grant: Grant | null): Readonly<Record<LimitKind, number>> {
  const named = (grant?.exceeds ?? []).filter((exceeded) => exceeded.scope === scope)
  const liftedBy = (kind: LimitKind): number =>
    named.filter((exceeded) => exceeded.kind === kind).reduce((sum, exceeded) => sum + excessOf(exceeded), 0)
  return {
    daily_cap: liftedBy('daily_cap'),
    weekly_cap: liftedBy('weekly_cap'),
    monthly_cap: liftedBy('monthly_cap'),
    single_txn_cap: liftedBy('single_txn_cap'),
    velocity: liftedBy('velocity'),
  }
}

/**
 * SQL query: the payment when it fits everything that can be checked before the day's counters are locked: currencies,
 * amounts, counts, and the use of week and month. Counts and windows are exact because the person's row is locked.
 */
export const fittingSql = ({ bounds, windows }: { readonly bounds: Sql; readonly windows: Windows }): Sql =>
  sql`SELECT b.* FROM ${bounds} b
        WHERE coalesce(b.wallet_currency = b.currency
                       OR coalesce(b.daily_cap, b.weekly_cap, b.monthly_cap, b.single_cap) IS NULL, true)
          AND coalesce(b.agent_currency = b.currency
                       OR coalesce(b.agent_daily_cap, b.agent_weekly_cap, b.agent_monthly_cap, b.agent_single_cap) IS NULL, true)
          AND coalesce(b.amount_minor <= least(b.single_cap, b.agent_single_cap, b.daily_cap, b.agent_daily_cap), true)
          AND ${fitsWindowSql('wallet', { cap: sql`b.weekly_cap`, from: windows.week.from })}
          AND ${fitsWindowSql('wallet', { cap: sql`b.monthly_cap`, from: windows.month.from })}
          AND ${fitsWindowSql('agent', { cap: sql`b.agent_weekly_cap`, from: windows.week.from })}
          AND ${fitsWindowSql('agent', { cap: sql`b.agent_monthly_cap`, from: windows.month.from })}
          AND (b.velocity IS NULL OR b.velocity > (
            SELECT count(*) FROM counted_settlements s
             WHERE s.principal_id = b.principal_id
               AND s.reserved_at > b.now - make_interval(secs => b.velocity_window_seconds)))
          AND (b.agent_velocity IS NULL OR b.agent_velocity > (
            SELECT count(*) FROM counted_settlements s
             WHERE s.client_id = b.client_id
               AND s.reserved_at > b.now - make_interval(secs => b.agent_window_seconds)))`

/** SQL expression: whether the payment `b`, added to the use since an instant, stays within a cap. */
function fitsWindowSql(scope: LimitScope, { cap, from }: { readonly cap: Sql; readonly from: Date }): Sql {
  const owner = scope === 'wallet' ? sql`b.principal_id` : sql`b.client_id`
  const used = usedSinceSql({ scope, owner, currency: sql`b.currency`, from })
  return sql`(${cap} IS NULL OR b.amount_minor + ${used} <= ${cap})`
}

/**
 * SQL statement that holds the payment's amount in the person's counter of the day; returns one row if the daily cap
 * allows it.
 */
export const holdSpendSql = ({ payment, bounds }: { readonly payment: Sql; readonly bounds: Sql }): Sql =>
  sql`INSERT INTO spend_counters AS c (principal_id, day, currency, reserved_minor)
       SELECT principal_id, day, currency, amount_minor FROM ${payment}
       ON CONFLICT (principal_id, day, currency) DO UPDATE SET reserved_minor = c.reserved_minor + excluded.reserved_minor
         WHERE (SELECT daily_cap FROM ${bounds}) IS NULL
            OR c.spent_minor + c.reserved_minor + excluded.reserved_minor <= (SELECT daily_cap FROM ${bounds})
       RETURNING 1`

/** Like {@link holdSpendSql}, for the agent's counter of the day, once `held` has held the amount in the person's. */
export const holdAgentSpendSql = ({
  payment,
  bounds,
  held,
}: {
  readonly payment: Sql
  readonly bounds: Sql
  readonly held: Sql
}): Sql =>
  sql`INSERT INTO agent_spend_counters AS c (client_id, day, currency, reserved_minor)
       SELECT client_id, day, currency, amount_minor FROM ${payment} WHERE EXISTS (SELECT 1 FROM ${held})
       ON CONFLICT (client_id, day, currency) DO UPDATE SET reserved_minor = c.reserved_minor + excluded.reserved_minor
         WHERE (SELECT agent_daily_cap FROM ${bounds}) IS NULL
            OR c.spent_minor + c.reserved_minor + excluded.reserved_minor <= (SELECT agent_daily_cap FROM ${bounds})
       RETURNING 1`

/**
 * SQL statement that uses the grant `payment.bump_id`, if any, for the settlement; returns one row if it was unused.
 */
export const takeGrantSql = ({ payment }: { readonly payment: Sql }): Sql =>
  sql`UPDATE limit_bumps b SET used_by = ${payment}.settlement_id FROM ${payment}
        WHERE b.id = ${payment}.bump_id AND b.status = 'approved' AND b.used_by IS NULL RETURNING b.id`

/** A settlement that has its outcome, and whether its amount was spent or is released. */
interface SettledSpend {
  readonly settlement: Sql
  readonly isSpent: boolean
}

/**
 * SQL statement that moves the held amount in the person's counter to spent, or releases it. Returns the settlement.
 */
export const releaseSpendSql = ({ settlement, isSpent }: SettledSpend): Sql =>
  sql`UPDATE spend_counters AS c
          SET reserved_minor = c.reserved_minor - ${settlement}.amount_minor,
              spent_minor = c.spent_minor + CASE WHEN ${isSpent}::boolean THEN ${settlement}.amount_minor ELSE 0 END
         FROM ${settlement} WHERE c.principal_id = ${settlement}.principal_id AND c.day = ${settlement}.day AND c.currency = ${settlement}.currency
       RETURNING ${settlement}.*`

/** Like {@link releaseSpendSql}, for the agent's counter. */
export const releaseAgentSpendSql = ({ settlement, isSpent }: SettledSpend): Sql =>
  sql`UPDATE agent_spend_counters AS c
          SET reserved_minor = c.reserved_minor - ${settlement}.amount_minor,
              spent_minor = c.spent_minor + CASE WHEN ${isSpent}::boolean THEN ${settlement}.amount_minor ELSE 0 END
         FROM ${settlement} WHERE c.client_id = ${settlement}.client_id AND c.day = ${settlement}.day AND c.currency = ${settlement}.currency
       RETURNING 1`

/** SQL statement that gives back the grant of a settlement that did not spend. */
export const returnGrantSql = ({ settlement, isSpent }: SettledSpend): Sql =>
  sql`UPDATE limit_bumps AS b SET used_by = NULL FROM ${settlement}
        WHERE NOT ${isSpent}::boolean AND b.used_by = ${settlement}.id RETURNING 1`
