import type { Queryable } from '../core/platform'

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

const columns = `id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verification_status,
  verified_at, connected_account_id, created_at`

interface NewMerchant {
  readonly id: string
  readonly fields: MerchantFields
  readonly now: Date
}

export async function insertMerchant(db: Queryable, { id, fields, now }: NewMerchant): Promise<MerchantRow> {
  const [row] = await db.query<MerchantRow>(
    `INSERT INTO merchants (${columns})
     VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, CASE WHEN $7 = 'verified' THEN $9::timestamptz END, $8, $9)
     RETURNING ${columns}`,
    [
      id,
      fields.merchant_audience,
      fields.business_name,
      fields.country,
      JSON.stringify(fields.accepts_currency),
      JSON.stringify(fields.accepts_rail),
      fields.verification_status,
      fields.connected_account_id,
      now,
    ],
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
    `UPDATE merchants SET
       merchant_audience = coalesce($2, merchant_audience),
       business_name = coalesce($3, business_name),
       country = coalesce($4, country),
       accepts_currency = coalesce($5::jsonb, accepts_currency),
       accepts_rail = coalesce($6::jsonb, accepts_rail),
       verification_status = coalesce($7, verification_status),
       verified_at = CASE coalesce($7, verification_status) WHEN 'verified' THEN coalesce(verified_at, $10) END,
       connected_account_id = CASE WHEN $8::boolean THEN $9 ELSE connected_account_id END
     WHERE id = $1 RETURNING ${columns}`,
    [
      id,
      changes.merchant_audience ?? null,
      changes.business_name ?? null,
      changes.country ?? null,
      changes.accepts_currency === undefined ? null : JSON.stringify(changes.accepts_currency),
      changes.accepts_rail === undefined ? null : JSON.stringify(changes.accepts_rail),
      changes.verification_status ?? null,
      changes.connected_account_id !== undefined,
      changes.connected_account_id ?? null,
      now,
    ],
  )
  return row ?? null
}

/** One page by name, and how many merchants there are. */
export async function readMerchantPage(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: MerchantRow[]; total: number }> {
  const rows = await db.query<MerchantRow>(
    `SELECT ${columns} FROM merchants ORDER BY lower(business_name), id LIMIT $1 OFFSET $2`,
    [limit, offset],
  )
  const [counted] = await db.query<{ total: number }>('SELECT count(*)::int AS total FROM merchants')
  return { rows, total: counted?.total ?? 0 }
}

/** Takes back a person who was created by the same request and whom nothing refers to yet. */
export async function deleteNewPrincipal(db: Queryable, principalId: string): Promise<void> {
  await db.query('DELETE FROM principals WHERE id = $1', [principalId])
}

/** The saved card that a setup intent has led to. */
export async function findCardOfIntent(db: Queryable, setupIntentId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>('SELECT id FROM card_mandates WHERE setup_intent_id = $1', [
    setupIntentId,
  ])
  return row?.id ?? null
}
