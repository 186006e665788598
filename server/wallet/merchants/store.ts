import { invariant } from '../../base/core/invariant'
import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'

export type MerchantRow = Row<
  'Merchant',
  | 'id'
  | 'merchant_audience'
  | 'business_name'
  | 'country'
  | 'accepts_currency'
  | 'accepts_rail'
  | 'verification_status'
  | 'verified_at'
  | 'connected_account_id'
  | 'max_application_fee_bps'
  | 'contact_email'
  | 'created_at',
  {
    accepts_currency: string[]
    accepts_rail: string[]
    verification_status: 'verified' | 'pending' | 'suspended'
  }
>

/** What an operator says about a merchant. */
export type MerchantFields = Readonly<Omit<MerchantRow, 'id' | 'verified_at' | 'created_at'>>

interface NewMerchant {
  readonly id: string
  readonly fields: MerchantFields
  readonly now: Date
}

/** Throws a unique violation of merchants_merchant_audience_key when the audience is taken. */
export async function insertMerchant(tx: Transaction, { id, fields, now }: NewMerchant): Promise<MerchantRow> {
  const verifiedAt = fields.verification_status === 'verified' ? now : null
  const [row] = await tx.query<MerchantRow>(
    sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                            verification_status, verified_at, connected_account_id, max_application_fee_bps, contact_email,
                            created_at)
     VALUES (${id}, ${fields.merchant_audience}, ${fields.business_name}, ${fields.country},
             ${json(fields.accepts_currency)}::jsonb, ${json(fields.accepts_rail)}::jsonb, ${fields.verification_status},
             ${verifiedAt}, ${fields.connected_account_id}, ${fields.max_application_fee_bps}::int,
             ${fields.contact_email}, ${now}) RETURNING *`,
  )
  invariant(row !== undefined, 'an inserted merchant is returned')
  return row
}

/** Locks one merchant until the commit; null when there is none. */
export async function lockMerchant(tx: Transaction, id: string): Promise<MerchantRow | null> {
  const [row] = await tx.query<MerchantRow>(sql`SELECT * FROM merchants WHERE id = ${id} FOR UPDATE`)
  return row ?? null
}

interface MerchantChange {
  readonly id: string
  readonly changes: { readonly [F in keyof MerchantFields]?: MerchantFields[F] | undefined }
  readonly now: Date
}

/**
 * Changes the given fields of a merchant that is locked. `verified_at` is the moment since which the merchant has been
 * verified without a break.
 */
export async function updateMerchant(tx: Transaction, { id, changes, now }: MerchantChange): Promise<MerchantRow> {
  const status = changes.verification_status ?? null
  const [row] = await tx.query<MerchantRow>(
    sql`UPDATE merchants SET
       merchant_audience = coalesce(${changes.merchant_audience ?? null}, merchant_audience),
       business_name = coalesce(${changes.business_name ?? null}, business_name),
       country = coalesce(${changes.country ?? null}, country),
       accepts_currency = coalesce(${json(changes.accepts_currency)}::jsonb, accepts_currency),
       accepts_rail = coalesce(${json(changes.accepts_rail)}::jsonb, accepts_rail),
       verification_status = coalesce(${status}, verification_status),
       verified_at = CASE coalesce(${status}, verification_status) WHEN 'verified' THEN coalesce(verified_at, ${now}) END,
       connected_account_id = CASE WHEN ${changes.connected_account_id !== undefined}::boolean
                                   THEN ${changes.connected_account_id ?? null} ELSE connected_account_id END,
       max_application_fee_bps = coalesce(${changes.max_application_fee_bps ?? null}::int, max_application_fee_bps),
       contact_email = CASE WHEN ${changes.contact_email !== undefined}::boolean
                            THEN ${changes.contact_email ?? null} ELSE contact_email END
     WHERE id = ${id} RETURNING *`,
  )
  invariant(row !== undefined, 'a locked merchant is there')
  return row
}

const json = (value: readonly string[] | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)

interface Slice {
  readonly offset: number
  readonly limit: number
}

/** A slice of all merchants, by name. */
export async function listMerchants(db: Database, { offset, limit }: Slice): Promise<MerchantRow[]> {
  const rows = await db.prisma.merchant.findMany({
    orderBy: [{ business_name: 'asc' }, { id: 'asc' }],
    skip: offset,
    take: limit,
  })
  return rows.map((row) => rowOf<MerchantRow>(row))
}

export function countMerchants(db: Database): Promise<number> {
  return db.prisma.merchant.count()
}

/** Null filters nothing. */
export interface DirectoryFilter {
  readonly country: string | null
  readonly currency: string | null
  readonly rail: string | null
  /** Part of the name or id, in any case. */
  readonly words: string | null
}

type DirectoryRow = Omit<
  MerchantRow,
  'verification_status' | 'connected_account_id' | 'max_application_fee_bps' | 'contact_email' | 'created_at'
>

// `@>` rather than the key-exists operator, whose question mark some drivers take for a parameter.
const matching = ({ country, currency, rail, words }: DirectoryFilter) => sql`FROM merchants
  WHERE verification_status = 'verified'
    AND (${country}::text IS NULL OR country = ${country})
    AND (${currency}::text IS NULL OR accepts_currency @> jsonb_build_array(${currency}::text))
    AND (${rail}::text IS NULL OR accepts_rail @> jsonb_build_array(${rail}::text))
    AND (${words}::text IS NULL OR strpos(lower(business_name), lower(${words})) > 0 OR strpos(lower(id), lower(${words})) > 0)`

/** A slice of the verified merchants that match, by name, and how many there are. */
export async function listDirectory(
  db: Queryable,
  filter: DirectoryFilter,
  { offset, limit }: Slice,
): Promise<{ entries: DirectoryRow[]; total: number }> {
  const entries = await db.query<DirectoryRow>(
    sql`SELECT id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verified_at ${matching(filter)}
      ORDER BY business_name, id LIMIT ${limit}::bigint OFFSET ${offset}::bigint`,
  )
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${matching(filter)}`)
  return { entries, total: counted?.total ?? 0 }
}

export async function isVerifiedMerchant(db: Database, id: string): Promise<boolean> {
  return (await db.prisma.merchant.count({ where: { id, verification_status: 'verified' } })) === 1
}

interface SandboxMerchant extends Pick<NewMerchant, 'id' | 'now'> {
  readonly fields: Omit<MerchantFields, 'contact_email'>
}

/**
 * Writes a merchant of the sandbox. One that is there keeps what an operator decided about it (its status, its account, its
 * fee, its contact); its name, currencies and address are brought up to date.
 */
export async function ensureMerchant(db: Queryable, { id, fields, now }: SandboxMerchant): Promise<void> {
  const verifiedAt = fields.verification_status === 'verified' ? now : null
  const currencies = JSON.stringify(fields.accepts_currency)
  const rails = JSON.stringify(fields.accepts_rail)
  // Two statements: of two processes that start at once, an upsert on the id could still collide on the audience.
  await db.query(
    sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                            verification_status, verified_at, connected_account_id, max_application_fee_bps, created_at)
     VALUES (${id}, ${fields.merchant_audience}, ${fields.business_name}, ${fields.country}, ${currencies}::jsonb,
             ${rails}::jsonb, ${fields.verification_status}, ${verifiedAt}, ${fields.connected_account_id},
             ${fields.max_application_fee_bps}::int, ${now})
     ON CONFLICT DO NOTHING`,
  )
  await db.query(
    sql`UPDATE merchants SET merchant_audience = ${fields.merchant_audience}, business_name = ${fields.business_name},
                          country = ${fields.country}, accepts_currency = ${currencies}::jsonb,
                          accepts_rail = ${rails}::jsonb
      WHERE id = ${id}`,
  )
}

/** Whether a row of merchant_profiles, or none, is an active merchant of the directory: an expression of a statement. */
export const isListedSql = (merchant: Sql): Sql => sql`coalesce(${merchant}.verification_status = 'verified', false)`
