import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'

/**
 * A text that changes whenever something that the portal shows of the person changes, also by time alone: counts and
 * newest instants, each found by an index of the person's rows.
 */
export async function readRevision(db: Queryable, principalId: string, now: Date): Promise<string> {
  const [row] = await db.query<{ revision: string }>(
    sql`SELECT md5(concat_ws('|',
       (SELECT concat_ws(',', count(*), max(created_at), max(decided_at), count(*) FILTER (WHERE status = 'pending' AND expires_at > ${now}))
          FROM consents WHERE principal_id = ${principalId}),
       (SELECT max(processed_at) FROM payments WHERE principal_id = ${principalId}),
       (SELECT count(*) FROM payments WHERE principal_id = ${principalId} AND status = 'disputed_pending'),
       (SELECT seq FROM audit_entries WHERE principal_id = ${principalId} ORDER BY ts DESC, seq DESC LIMIT 1),
       (SELECT string_agg(state || count, ',' ORDER BY state)
          FROM (SELECT state, count(*) AS count FROM settlements
                 WHERE principal_id = ${principalId} AND reserved_at > ${now}::timestamptz - interval '1 day' GROUP BY state) by_state),
       (SELECT concat_ws(',', count(*), count(consumed_at), count(cancelled_at), count(*) FILTER (WHERE expires_at > ${now}))
          FROM setup_tokens WHERE principal_id = ${principalId}),
       (SELECT concat_ws(',', count(*), count(revoked_at), max(muted_until), count(*) FILTER (WHERE muted_until > ${now}))
          FROM clients WHERE principal_id = ${principalId}),
       (SELECT concat_ws(',', count(*), max(created_at), max(decided_at), count(*) FILTER (WHERE status = 'pending' AND expires_at > ${now}))
          FROM limit_bumps WHERE principal_id = ${principalId}),
       (SELECT string_agg(id || is_default::text || status, ',' ORDER BY id) FROM card_mandates WHERE principal_id = ${principalId}),
       (SELECT updated_at FROM wallet_limits WHERE principal_id = ${principalId}),
       (SELECT concat_ws(',', count(*), max(updated_at)) FROM agent_limits WHERE principal_id = ${principalId}),
       (SELECT string_agg(currency || reserved_minor || '/' || spent_minor, ',' ORDER BY currency)
          FROM spend_counters WHERE principal_id = ${principalId} AND day = ${now.toISOString().slice(0, 10)}::date),
       (SELECT concat_ws(',', count(*), max(updated_at)) FROM principal_merchant_rules WHERE principal_id = ${principalId}),
       (SELECT (approval_rule, magic_link_gate, only_listed_merchants)::text FROM principals WHERE id = ${principalId}))) AS revision`,
  )
  return row?.revision ?? ''
}
