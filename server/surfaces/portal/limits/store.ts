import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'
import type { PastPayment } from './count-asked'

type PastPaymentRow = Row<'Settlement', 'reserved_at' | 'amount_minor' | 'currency'> & PaymentMade

/** The payment that a settlement became; all null while it is under way. */
interface PaymentMade {
  readonly payment_intent_id: string | null
  readonly merchant_audience: string | null
  readonly merchant_name: string | null
}

export interface KnownPayment extends PastPayment {
  readonly made: PaymentMade
}

/** Returns the payments of the person's agents since an instant, newest first, without failed ones. */
export async function listPastPayments(
  db: Queryable,
  principalId: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<KnownPayment[]> {
  const rows = await db.query<PastPaymentRow>(
    sql`SELECT s.reserved_at, s.amount_minor, s.currency, p.payment_intent_id, p.merchant_audience,
            m.business_name AS merchant_name
       FROM counted_settlements s
       LEFT JOIN completed_payments p ON p.settlement_id = s.id
       LEFT JOIN merchant_profiles m USING (merchant_audience)
      WHERE s.principal_id = ${principalId} AND s.reserved_at >= ${since}
      ORDER BY s.reserved_at DESC, s.id LIMIT ${limit}`,
  )
  return rows.map(({ reserved_at: at, amount_minor: amountMinor, currency, ...made }) => {
    return { at, amountMinor, currency, made }
  })
}
