import { invariant } from '../../base/core/invariant'
import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { hasLapsedSql, isListedSql } from './listed-sql'

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
  | 'min_age'
  | 'created_at'
  | 'federation_entity_id',
  {
    accepts_currency: string[]
    accepts_rail: string[]
    verification_status: 'verified' | 'pending' | 'suspended'
  }
>

/** The data of a merchant that an operator sets. */
export type MerchantFields = Readonly<Omit<MerchantRow, 'id' | 'verified_at' | 'created_at'>>

interface NewMerchant {
  readonly id: string
  readonly fields: MerchantFields
  readonly now: Date
}

/** Inserts a merchant. Throws a unique violation of merchants_merchant_audience_key when the audience is taken. */
export async function insertMerchant(tx: Transaction, { id, fields, now }: NewMerchant): Promise<MerchantRow> {
  const verifiedAt = fields.verification_status === 'verified' ? now : null
  const [row] = await tx.query<MerchantRow>(
    sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                            verification_status, verified_at, connected_account_id, max_application_fee_bps, contact_email,
                            min_age, created_at, federation_entity_id)
     VALUES (${id}, ${fields.merchant_audience}, ${fields.business_name}, ${fields.country},
             ${json(fields.accepts_currency)}::jsonb, ${json(fields.accepts_rail)}::jsonb, ${fields.verification_status},
             ${verifiedAt}, ${fields.connected_account_id}, ${fields.max_application_fee_bps}::int,
             ${fields.contact_email}, ${fields.min_age}::int, ${now}, ${fields.federation_entity_id}) RETURNING *`,
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
 * Changes the given fields of a locked merchant. `verified_at` is the time since which the merchant has been verified
 * without interruption.
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
                            THEN ${changes.contact_email ?? null} ELSE contact_email END,
       min_age = CASE WHEN ${changes.min_age !== undefined}::boolean THEN ${changes.min_age ?? null}::int ELSE min_age END,
       federation_entity_id = CASE WHEN ${changes.federation_entity_id !== undefined}::boolean
                                   THEN ${changes.federation_entity_id ?? null} ELSE federation_entity_id END
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

/** Returns a slice of all merchants, by name. */
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

/** A filter of the directory; null members do not filter. */
export interface DirectoryFilter {
  readonly country: string | null
  readonly currency: string | null
  readonly rail: string | null
  /** Text to find in the name or id, regardless of case. */
  readonly words: string | null
}

type DirectoryRow = Pick<
  MerchantRow,
  'id' | 'merchant_audience' | 'business_name' | 'country' | 'accepts_currency' | 'accepts_rail' | 'verified_at'
>

// `@>` rather than the key-exists operator, whose question mark some drivers take for a parameter.
const matching = ({ country, currency, rail, words }: DirectoryFilter, now: Date) => sql`FROM merchant_profiles m
  WHERE ${isListedSql(sql`m`, sql`${now}::timestamptz`)}
    AND (${country}::text IS NULL OR country = ${country})
    AND (${currency}::text IS NULL OR accepts_currency @> jsonb_build_array(${currency}::text))
    AND (${rail}::text IS NULL OR accepts_rail @> jsonb_build_array(${rail}::text))
    AND (${words}::text IS NULL OR strpos(lower(business_name), lower(${words})) > 0 OR strpos(lower(id), lower(${words})) > 0)`

interface DirectoryQuery {
  readonly filter: DirectoryFilter
  readonly now: Date
}

/** Returns a slice of the listed merchants that match, by name, and their total number. */
export async function listDirectory(
  db: Queryable,
  { filter, now }: DirectoryQuery,
  { offset, limit }: Slice,
): Promise<{ entries: DirectoryRow[]; total: number }> {
  const entries = await db.query<DirectoryRow>(
    sql`SELECT id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
            coalesce((SELECT v.since FROM verified_enrolments v
                       WHERE v.role = 'merchant' AND v.entity_id = m.federation_entity_id), verified_at) AS verified_at
       ${matching(filter, now)}
      ORDER BY business_name, id LIMIT ${limit}::bigint OFFSET ${offset}::bigint`,
  )
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${matching(filter, now)}`)
  return { entries, total: counted?.total ?? 0 }
}

/** Returns whether the directory lists a merchant. */
export async function isVerifiedMerchant(db: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT id FROM merchant_profiles m WHERE id = ${id} AND ${isListedSql(sql`m`, sql`${now}::timestamptz`)}`,
  )
  return rows.length === 1
}

/** Returns whether the directory lists the merchant at an address. */
export async function isListedAudience(db: Queryable, audience: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT id FROM merchant_profiles m
      WHERE merchant_audience = ${audience} AND ${isListedSql(sql`m`, sql`${now}::timestamptz`)}`,
  )
  return rows.length === 1
}

/**
 * Returns the merchant at an audience that is tied to an entity, and whether the directory lists it; null when there is
 * none.
 */
export async function findEnrolledMerchant(
  db: Queryable,
  audience: string,
  now: Date,
): Promise<{ merchant_audience: string; federation_entity_id: string; is_listed: boolean } | null> {
  const [row] = await db.query<{ merchant_audience: string; federation_entity_id: string; is_listed: boolean }>(
    sql`SELECT merchant_audience, federation_entity_id, ${isListedSql(sql`m`, sql`${now}::timestamptz`)} AS is_listed
       FROM merchant_profiles m WHERE merchant_audience = ${audience} AND federation_entity_id IS NOT NULL`,
  )
  return row ?? null
}

/**
 * Returns whether the federation no longer verifies the merchant at an audience, or one at an address above it while
 * none is listed at the audience itself.
 */
export async function hasLapsed(db: Queryable, audience: string, now: Date): Promise<boolean> {
  const [row] = await db.query<{ lapsed: boolean }>(
    sql`SELECT ${hasLapsedSql(sql`${audience}::text`, sql`${now}::timestamptz`)} AS lapsed`,
  )
  return row?.lapsed ?? true
}

/** Returns whether a merchant is tied to an entity of the federation. */
export async function isTied(db: Queryable, entityId: string): Promise<boolean> {
  const rows = await db.query(sql`SELECT id FROM merchants WHERE federation_entity_id = ${entityId} LIMIT 1`)
  return rows.length > 0
}

interface SandboxMerchant extends Pick<NewMerchant, 'id' | 'now'> {
  readonly fields: Omit<MerchantFields, 'contact_email' | 'federation_entity_id'>
}

/**
 * Inserts or updates a merchant of the sandbox. An existing one keeps what an operator decided (status, account, fee,
 * contact, minimum age); its name, currencies and address are updated.
 */
export async function ensureMerchant(db: Queryable, { id, fields, now }: SandboxMerchant): Promise<void> {
  const verifiedAt = fields.verification_status === 'verified' ? now : null
  const currencies = JSON.stringify(fields.accepts_currency)
  const rails = JSON.stringify(fields.accepts_rail)
  // Two statements: of two processes that start at once, an upsert on the id could still collide on the audience.
  await db.query(
    sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                            verification_status, verified_at, connected_account_id, max_application_fee_bps, min_age,
                            created_at)
     VALUES (${id}, ${fields.merchant_audience}, ${fields.business_name}, ${fields.country}, ${currencies}::jsonb,
             ${rails}::jsonb, ${fields.verification_status}, ${verifiedAt}, ${fields.connected_account_id},
             ${fields.max_application_fee_bps}::int, ${fields.min_age}::int, ${now})
     ON CONFLICT DO NOTHING`,
  )
  await db.query(
    sql`UPDATE merchants SET merchant_audience = ${fields.merchant_audience}, business_name = ${fields.business_name},
                          country = ${fields.country}, accepts_currency = ${currencies}::jsonb,
                          accepts_rail = ${rails}::jsonb
      WHERE id = ${id}`,
  )
}
