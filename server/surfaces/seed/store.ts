import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

interface FirstLimits {
  readonly principalId: string
  readonly dailyCapMinor: number
  readonly singleTxnCapMinor: number
  readonly currency: string
  readonly now: Date
}

/** Saves a person's first limits; existing limits stay as they are. */
export async function insertFirstLimits(db: Queryable, limits: FirstLimits): Promise<void> {
  await db.query(
    sql`INSERT INTO wallet_limits (principal_id, daily_cap_minor, currency, single_txn_cap_minor, updated_at)
     VALUES (${limits.principalId}, ${limits.dailyCapMinor}, ${limits.currency}, ${limits.singleTxnCapMinor}, ${limits.now}) ON CONFLICT (principal_id) DO NOTHING`,
  )
}

/** Whether the person has or had any card: one that was removed is not to come back. */
export async function hasEverHadCard(db: Queryable, principalId: string): Promise<boolean> {
  const rows = await db.query(sql`SELECT 1 FROM card_mandates WHERE principal_id = ${principalId} LIMIT 1`)
  return rows.length > 0
}

/** What the sandbox offers to try out, as it stands now. */
export interface SandboxSeed {
  readonly email: string
  readonly card: { readonly brand: string; readonly last4: string } | null
  readonly limits: {
    readonly currency: string
    readonly dailyCapMinor: number | null
    readonly singleTxnCapMinor: number | null
  } | null
}

interface SeedRow {
  email: string | null
  brand: string | null
  last4: string | null
  currency: string | null
  daily_cap_minor: number | null
  single_txn_cap_minor: number | null
}

/** The person with the default card and the limits; null when the person has no e-mail address to sign in with. */
export async function readSandboxSeed(db: Queryable, principalId: string): Promise<SandboxSeed | null> {
  const [row] = await db.query<SeedRow>(
    sql`SELECT p.email, c.brand, c.last4, l.currency, l.daily_cap_minor, l.single_txn_cap_minor FROM principals p
       LEFT JOIN card_mandates c ON c.principal_id = p.id AND c.is_default AND c.status = 'active'
       LEFT JOIN wallet_limits l ON l.principal_id = p.id
      WHERE p.id = ${principalId}`,
  )
  if (row === undefined || row.email === null) return null
  const { email, brand, last4, currency, daily_cap_minor: dailyCapMinor, single_txn_cap_minor: singleTxnCapMinor } = row
  return {
    email,
    card: brand === null || last4 === null ? null : { brand, last4 },
    limits: currency === null ? null : { currency, dailyCapMinor, singleTxnCapMinor },
  }
}
