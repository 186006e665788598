import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

export interface MerchantFields {
  readonly merchant_audience: string
  readonly business_name: string
  readonly country: string
  readonly accepts_currency: readonly string[]
  readonly accepts_rail: readonly string[]
  readonly verification_status: 'verified' | 'pending' | 'suspended'
  readonly connected_account_id: string | null
}

export interface MerchantRow {
  id: string
  merchant_audience: string
  business_name: string
  country: string
  accepts_currency: string[]
  accepts_rail: string[]
  verification_status: 'verified' | 'pending' | 'suspended'
  verified_at: Date | null
  connected_account_id: string | null
  created_at: Date
}

const columns = sql`id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verification_status,
  verified_at, connected_account_id, created_at`

interface NewMerchant {
  readonly id: string
  readonly fields: MerchantFields
  readonly now: Date
}

export async function insertMerchant(db: Queryable, { id, fields, now }: NewMerchant): Promise<MerchantRow> {
  const [row] = await db.query<MerchantRow>(
    sql`INSERT INTO merchants (${columns})
     VALUES (${id}, ${fields.merchant_audience}, ${fields.business_name}, ${fields.country}, ${JSON.stringify(fields.accepts_currency)}::jsonb, ${JSON.stringify(fields.accepts_rail)}::jsonb, ${fields.verification_status}, CASE WHEN ${fields.verification_status} = 'verified' THEN ${now}::timestamptz END, ${fields.connected_account_id}, ${now})
     RETURNING ${columns}`,
  )
  if (row === undefined) throw new Error('INSERT returned no row')
  return row
}

interface MerchantChange {
  readonly id: string
  readonly changes: { readonly [F in keyof MerchantFields]?: MerchantFields[F] | undefined }
  readonly now: Date
}

/**
 * Changes the given fields of one merchant, in one statement; null when there is none. `verified_at` is the moment since
 * which the merchant has been verified without a break.
 */
export async function updateMerchantRow(
  db: Queryable,
  { id, changes, now }: MerchantChange,
): Promise<MerchantRow | null> {
  const [row] = await db.query<MerchantRow>(
    sql`UPDATE merchants SET
       merchant_audience = coalesce(${changes.merchant_audience ?? null}, merchant_audience),
       business_name = coalesce(${changes.business_name ?? null}, business_name),
       country = coalesce(${changes.country ?? null}, country),
       accepts_currency = coalesce(${changes.accepts_currency === undefined ? null : JSON.stringify(changes.accepts_currency)}::jsonb, accepts_currency),
       accepts_rail = coalesce(${changes.accepts_rail === undefined ? null : JSON.stringify(changes.accepts_rail)}::jsonb, accepts_rail),
       verification_status = coalesce(${changes.verification_status ?? null}, verification_status),
       verified_at = CASE coalesce(${changes.verification_status ?? null}, verification_status) WHEN 'verified' THEN coalesce(verified_at, ${now}) END,
       connected_account_id = CASE WHEN ${changes.connected_account_id !== undefined}::boolean THEN ${changes.connected_account_id ?? null} ELSE connected_account_id END
     WHERE id = ${id} RETURNING ${columns}`,
  )
  return row ?? null
}

/** One page by name, and how many merchants there are. */
export async function readMerchantPage(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: MerchantRow[]; total: number }> {
  const rows = await db.query<MerchantRow>(
    sql`SELECT ${columns} FROM merchants ORDER BY lower(business_name), id LIMIT ${limit} OFFSET ${offset}`,
  )
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*)::int AS total FROM merchants`)
  return { rows, total: counted?.total ?? 0 }
}

/** Takes back a person who was created by the same request and whom nothing refers to yet. */
export async function deleteNewPrincipal(db: Queryable, principalId: string): Promise<void> {
  await db.query(sql`DELETE FROM principals WHERE id = ${principalId}`)
}

/** The saved card that a setup intent has led to. */
export async function findCardOfIntent(db: Queryable, setupIntentId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    sql`SELECT id FROM card_mandates WHERE setup_intent_id = ${setupIntentId}`,
  )
  return row?.id ?? null
}
