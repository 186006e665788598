import type { Queryable } from '../core/platform'
import { type JudgedRow, judgedSql, type LimitsOwner, utcDay } from '../limits'
import { rulingSql } from '../policy'
import type { ApprovalRule } from './contract'

/** What is used of limits: money of a day in one currency, and payments since an instant. */
export async function readLimitsUse(
  db: Queryable,
  { principalId, clientId }: LimitsOwner,
  { day, currency, since }: { readonly day: string; readonly currency: string | null; readonly since: Date | null },
): Promise<{ readonly used: number; readonly count: number }> {
  const [row] = await db.query<{ used: number; count: number }>(clientId === null ? walletUse : agentUse, [
    clientId ?? principalId,
    day,
    currency,
    since,
  ])
  return row ?? { used: 0, count: 0 }
}

const useSql = (table: string, owner: string) =>
  `SELECT coalesce((SELECT reserved_minor + spent_minor FROM ${table} WHERE ${owner} = $1 AND day = $2::date AND currency = $3), 0) AS used,
          (SELECT count(*) FROM settlements WHERE ${owner} = $1 AND state <> 'failed' AND reserved_at > $4::timestamptz) AS count`
const walletUse = useSql('spend_counters', 'principal_id')
const agentUse = useSql('agent_spend_counters', 'client_id')

/** Merchants of the directory, and those that the person has a rule for. */
export function listKnownMerchants(db: Queryable, principalId: string) {
  return db.query<{ merchant_audience: string; merchant_name: string | null }>(
    `SELECT merchant_audience, business_name AS merchant_name
       FROM (SELECT merchant_audience FROM (SELECT merchant_audience FROM merchants WHERE verification_status = 'verified'
                                             ORDER BY business_name, merchant_audience LIMIT 200) listed
             UNION
             SELECT merchant_audience FROM principal_merchant_rules WHERE principal_id = $1) known
       LEFT JOIN merchants USING (merchant_audience)
      ORDER BY business_name, merchant_audience LIMIT 400`,
    [principalId],
  )
}

/** Whose purchase is tried out: by whom and where are null where that is left open. */
export interface PreviewQuestion {
  readonly principalId: string
  readonly clientId: string | null
  readonly audience: string | null
  readonly currency: string
  readonly now: Date
}

export interface PreviewContext extends JudgedRow {
  approval_rule: ApprovalRule
  processing_restricted: boolean
  frozen: boolean
  has_card: boolean
  agent_id: string | null
  agent_revoked: boolean
  agent_muted: boolean
  /** Says something only when a merchant was named. */
  policy_denies: boolean
  remembered: boolean
}

const judged = judgedSql({
  principal: 'p.id',
  day: '$4',
  currency: '$5::text',
  now: '$6::timestamptz',
  agent: 'c.id',
  audience: '$3::text',
})
const ruling = rulingSql({ agent: 'c', principal: 'p', audience: '$3::text' })

/** Everything that deciding about the purchase needs to know, by the fragments that real requests are read with. */
export async function readPreviewContext(db: Queryable, question: PreviewQuestion): Promise<PreviewContext | null> {
  const { principalId, clientId, audience, currency, now } = question
  const [row] = await db.query<PreviewContext>(
    `SELECT p.approval_rule, p.processing_restricted, l.frozen_by IS NOT NULL AS frozen,
            EXISTS (SELECT 1 FROM card_mandates k WHERE k.principal_id = p.id AND k.status = 'active') AS has_card,
            c.id AS agent_id, c.revoked_at IS NOT NULL AS agent_revoked,
            coalesce(c.muted_until > $6::timestamptz, false) AS agent_muted,
            ${ruling.denied} AS policy_denies,
            EXISTS (SELECT 1 FROM remembered_approvals a
                     WHERE a.client_id = c.id AND a.subject = 'merchant:' || $3::text) AS remembered,
            ${judged.columns}
       FROM principals p
       LEFT JOIN clients c ON c.id = $2::text AND c.principal_id = p.id AND c.kind = 'agent'
       ${ruling.join}
       ${judged.join}
      WHERE p.id = $1`,
    [principalId, clientId, audience, utcDay(now), currency, now],
  )
  return row ?? null
}
