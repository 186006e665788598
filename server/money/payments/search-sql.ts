import { currencyCodes, currencyDigits } from '../../base/core/money'
import { type Sql, sql } from '../../base/core/sql'

const codesWith = (digits: number): readonly string[] => currencyCodes.filter((code) => currencyDigits(code) === digits)

const digitsSql = sql`(CASE WHEN p.currency = ANY (${codesWith(0)}::text[]) THEN 0
  WHEN p.currency = ANY (${codesWith(3)}::text[]) THEN 3 WHEN p.currency = ANY (${codesWith(4)}::text[]) THEN 4 ELSE 2 END)`

/** SQL expression: the amount of the payment `p` in major units, with all decimal digits of its currency. */
const amountSql = sql`round(p.amount_minor::numeric / power(10::numeric, ${digitsSql}), ${digitsSql})::text`

/**
 * Returns an SQL condition: the payment `p` has the words in its merchant's name or address or in an item, or its
 * amount begins with them. Names and items are looked up by key for each payment: a subquery over all of them would be
 * scanned for every payment once its result is too large to be hashed.
 */
export function holdsWordsSql(words: string): Sql {
  const amounts = readAmounts(words)
  return sql`(strpos(lower(p.merchant_audience), lower(${words})) > 0
    ${amounts.length === 0 ? sql`` : sql`OR ${amountSql} ^@ ANY (${amounts}::text[])`}
    OR EXISTS (SELECT 1 FROM merchant_profiles n
                WHERE n.merchant_audience = p.merchant_audience AND strpos(lower(n.business_name), lower(${words})) > 0)
    OR EXISTS (SELECT 1 FROM mandate_terms t, jsonb_array_elements(
                 coalesce(t.line_items, (SELECT g.line_items FROM agreed_items g WHERE g.family_id = t.family_id))) item
                WHERE t.id = p.mandate_id AND strpos(lower(coalesce(item ->> 'title', item ->> 'sku')), lower(${words})) > 0))`
}

/** An amount with the separators of thousands, as pages show it: `1,234.50` or `1.234,50`. */
const GROUPED = /^\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*(?!\1)[.,]\d*$/u

/** An amount with separators of thousands and no decimals: `1,250` of a currency without them, or of any as it begins. */
const WHOLE = /^\d{1,3}([.,'’])\d{3}(?:\1\d{3})*$/u

/** Returns the numbers that the words can be read as, with a decimal point and without currency signs. */
function readAmounts(words: string): readonly string[] {
  const typed = words.replaceAll(/[\p{Sc}\p{L}\s]/gu, '')
  const group = GROUPED.exec(typed)?.[1]
  const readings = [(group === undefined ? typed : typed.replaceAll(group, '')).replace(',', '.')]
  if (WHOLE.test(typed)) readings.push(typed.replaceAll(/\D/g, ''))
  return readings.filter((reading) => /^\d+(?:\.\d*)?$/.test(reading))
}
