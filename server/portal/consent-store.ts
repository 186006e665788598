import type { LineItem } from '../contract/wire'
import type { Queryable } from '../core/platform'
import type { KnownShop } from './look-alike'

/** Enough for every shop that somebody knows, and never more than a page can wait for. */
const VERIFIED_MOST = 5_000
const PAID_MOST = 500

export interface PurchaseRow {
  at: Date
  amount_minor: number
  currency: string
  client_id: string
  agent_label: string
  items: LineItem[] | null
}

/** What the person paid at the merchant last, until `before`, whichever agent bought it. */
export async function findLastPurchase(
  db: Queryable,
  principalId: string,
  { audience, before }: { readonly audience: string; readonly before: Date },
): Promise<PurchaseRow | null> {
  const [row] = await db.query<PurchaseRow>(
    `SELECT y.processed_at AS at, y.amount_minor, y.currency, y.client_id, c.name AS agent_label,
            (SELECT f.authorization_details -> 0 -> 'line_items' FROM mandates d
               JOIN token_families f ON f.id = d.family_id WHERE d.id = y.mandate_id) AS items
       FROM payments y JOIN clients c ON c.id = y.client_id
      WHERE y.principal_id = $1 AND y.merchant_audience = $2 AND y.processed_at < $3
      ORDER BY y.processed_at DESC LIMIT 1`,
    [principalId, audience, before],
  )
  return row ?? null
}

/** Shops that somebody has verified, and those that the person has paid. Each shop that was paid costs one look. */
export function listKnownShops(db: Queryable, principalId: string): Promise<KnownShop[]> {
  return db.query<KnownShop>(
    `WITH RECURSIVE paid (audience) AS (
       (SELECT merchant_audience FROM payments WHERE principal_id = $1 ORDER BY merchant_audience LIMIT 1)
       UNION ALL
       SELECT (SELECT y.merchant_audience FROM payments y
                WHERE y.principal_id = $1 AND y.merchant_audience > paid.audience ORDER BY y.merchant_audience LIMIT 1)
         FROM paid WHERE paid.audience IS NOT NULL)
     SELECT known.audience, m.business_name AS name
       FROM ((SELECT merchant_audience AS audience FROM merchants WHERE verification_status = 'verified'
               ORDER BY merchant_audience LIMIT ${VERIFIED_MOST})
             UNION (SELECT audience FROM paid WHERE audience IS NOT NULL LIMIT ${PAID_MOST})) known
       LEFT JOIN merchants m ON m.merchant_audience = known.audience
      ORDER BY (m.verification_status = 'verified') DESC NULLS LAST, known.audience`,
    [principalId],
  )
}
