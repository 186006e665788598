import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'
import { isRememberedSql, merchantSubjectSql } from '../../../wallet/approvals'
import { agentCardSql } from '../../../wallet/cards'
import { type JudgedRow, judgedSql, type Stop, stopSql, utcDay } from '../../../wallet/limits'
import { ruledMerchantsSql, rulingSql } from '../../../wallet/merchant-rules'
import { hasLapsedSql, isListedSql } from '../../../wallet/merchants'
import type { ApprovalRule } from '../input'
import type { PastPayment } from './count-asked'

/** Merchants of the directory, and those that the person has a rule for. */
export function listKnownMerchants(db: Queryable, principalId: string, now: Date) {
  return db.query<{ merchant_audience: string; merchant_name: string | null }>(
    sql`SELECT merchant_audience, business_name AS merchant_name
       FROM (SELECT merchant_audience FROM (SELECT merchant_audience FROM merchant_profiles m WHERE ${isListedSql(sql`m`, sql`${now}::timestamptz`)}
                                             ORDER BY business_name, merchant_audience LIMIT 200) listed
             UNION
             SELECT merchant_audience FROM ${ruledMerchantsSql(principalId)} ruled) known
       LEFT JOIN merchant_profiles USING (merchant_audience)
      ORDER BY business_name, merchant_audience LIMIT 400`,
  )
}

/** What the person's agents paid since an instant, newest first; payments that failed are none. */
export async function listPastPayments(
  db: Queryable,
  principalId: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<PastPayment[]> {
  const rows = await db.query<Row<'Settlement', 'reserved_at' | 'amount_minor' | 'currency'>>(
    sql`SELECT s.reserved_at, s.amount_minor, s.currency FROM counted_settlements s
      WHERE s.principal_id = ${principalId} AND s.reserved_at >= ${since} ORDER BY s.reserved_at DESC, s.id LIMIT ${limit}`,
  )
  return rows.map((row) => ({ at: row.reserved_at, amountMinor: row.amount_minor, currency: row.currency }))
}

/** The purchase that is tried out. Agent and merchant are null when the person named none. */
export interface PreviewSubject {
  readonly principalId: string
  readonly clientId: string | null
  readonly audience: string | null
  readonly currency: string
  readonly amountMinor: number
  readonly now: Date
}

export type PreviewContext = JudgedRow &
  Row<'Principal', 'approval_rule' | 'processing_restricted', { approval_rule: ApprovalRule }> & {
    readonly stop: Stop | null
    readonly has_card: boolean
    readonly agent_id: string | null
    readonly agent_revoked: boolean
    /** Meaningful only when a merchant was named. */
    readonly policy_denies: boolean
    readonly remembered: boolean
    readonly merchant_listed: boolean
    /** The federation vouched for the merchant and no longer does. */
    readonly merchant_lapsed: boolean
  }

const judged = judgedSql({
  principal: sql`p.id`,
  day: sql`q.day`,
  currency: sql`q.currency`,
  now: sql`q.now`,
  agent: sql`c.id`,
  audience: sql`q.audience`,
  amount: sql`q.amount_minor`,
  items: sql`NULL`,
  consent: sql`NULL`,
})
const remembered = isRememberedSql({
  clientId: sql`c.id`,
  subject: merchantSubjectSql(sql`q.audience`),
  amount: sql`q.amount_minor`,
  currency: sql`q.currency`,
  merchantName: sql`m.business_name`,
})
const ruling = rulingSql({ agent: sql`c`, principal: sql`p`, audience: sql`q.audience` })

/** Everything that the decision depends on, read with the same fragments as for real requests. */
export async function readPreviewContext(db: Queryable, subject: PreviewSubject): Promise<PreviewContext | null> {
  const { principalId, clientId, audience, currency, amountMinor, now } = subject
  const [row] = await db.query<PreviewContext>(
    sql`SELECT p.approval_rule, p.processing_restricted, ${stopSql({ principal: sql`p`, agent: sql`c` })} AS stop,
            ${agentCardSql({ principalId: sql`p.id`, clientId: sql`c.id` })} IS NOT NULL AS has_card,
            c.id AS agent_id, c.revoked_at IS NOT NULL AS agent_revoked,
            ${ruling.denied} AS policy_denies,
            ${remembered} AS remembered,
            ${isListedSql(sql`m`, sql`q.now`)} AS merchant_listed,
            ${hasLapsedSql(sql`q.audience`, sql`q.now`)} AS merchant_lapsed,
            ${judged.columns}
       FROM (SELECT ${audience}::text AS audience, ${currency}::text AS currency, ${amountMinor}::bigint AS amount_minor,
                    ${now}::timestamptz AS now,
                    ${utcDay(now)}::text AS day) q
       JOIN principal_profiles p ON p.id = ${principalId}
       LEFT JOIN agents c ON c.id = ${clientId} AND c.principal_id = p.id
       LEFT JOIN merchant_profiles m ON m.merchant_audience = q.audience
       ${ruling.join}
       ${judged.join}`,
  )
  return row ?? null
}
