import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** This slice's rows for a person's access request (GDPR Article 15). `limits` is null for one who never set any. */
export async function readStoredLimits(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [name: string]: unknown }> {
  const [limits = null] = await db.query<StoredRows[number]>(
    sql`SELECT daily_cap_minor, weekly_cap_minor, monthly_cap_minor, currency, single_txn_cap_minor, velocity_count,
            velocity_window_seconds, other_currencies, time_zone, carried_windows, updated_at
       FROM wallet_limits WHERE principal_id = ${principalId}`,
  )
  return {
    limits,
    agent_limits: await db.query(
      sql`SELECT client_id, daily_cap_minor, weekly_cap_minor, monthly_cap_minor, currency, single_txn_cap_minor,
             velocity_count, velocity_window_seconds, updated_at FROM agent_limits
        WHERE principal_id = ${principalId} ORDER BY client_id`,
    ),
    limit_changes: await db.query(
      sql`SELECT client_id, kind, before, after, via, created_at FROM limit_changes
        WHERE principal_id = ${principalId} ORDER BY seq`,
    ),
    limit_bumps: await db.query(
      sql`SELECT id, agent_client_id, merchant_audience, currency, amount_minor, line_items, exceeds, mandate_id, consent_id,
             status, created_at, expires_at, decided_at FROM limit_bumps
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
    spending: await db.query(
      sql`SELECT day, currency, reserved_minor, spent_minor FROM spend_counters
        WHERE principal_id = ${principalId} ORDER BY day, currency`,
    ),
    agent_spending: await db.query(
      sql`SELECT s.client_id, s.day, s.currency, s.reserved_minor, s.spent_minor FROM agent_spend_counters s
        JOIN agents a ON a.id = s.client_id WHERE a.principal_id = ${principalId} ORDER BY s.day, s.client_id, s.currency`,
    ),
  }
}
