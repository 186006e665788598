import { batchedFor } from '../../base/core/batching'
import type { Database } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { isAgeProvenSql } from './store'

/** The age that a merchant's buyers must have reached, and whether the person has proven it. */
export interface RequiredAge {
  readonly age: number
  readonly isProven: boolean
}

interface Purchase {
  readonly principalId: string
  /** The merchant, in its canonical form. */
  readonly audience: string
  readonly now: Date
}

/** Purchases that are judged at the same time are read by one statement, up to this many. */
const READ_TOGETHER_MAX = 50

/** What a merchant asks of its buyers' age; null when anybody may buy there. */
export const findRequiredAge = batchedFor<Database, Purchase, RequiredAge | null>(async (db, purchases) => {
  const isProven = isAgeProvenSql({ principal: sql`asked.principal_id`, age: sql`m.min_age`, now: sql`asked.at` })
  const rows = await db.query<{ place: number; min_age: number; is_proven: boolean }>(
    sql`SELECT asked.place::integer AS place, m.min_age, ${isProven} AS is_proven
       FROM unnest(${purchases.map(({ principalId }) => principalId)}::text[], ${purchases.map(({ audience }) => audience)}::text[],
                   ${purchases.map(({ now }) => now)}::timestamptz[]) WITH ORDINALITY AS asked (principal_id, audience, at, place)
       JOIN merchant_profiles m ON m.merchant_audience = asked.audience
      WHERE m.min_age IS NOT NULL`,
  )
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return purchases.map((_purchase, index) => {
    const row = byPlace.get(index + 1)
    return row === undefined ? null : { age: row.min_age, isProven: row.is_proven }
  })
}, READ_TOGETHER_MAX)

/** Why a purchase cannot go on until the person has proven their age. */
export function describeRequiredAge(age: number): string {
  return `The merchant sells only to people of ${age} and older. The person has yet to prove their age in their wallet.`
}

/** The page of the portal where a person proves an age. */
export function provingPage(baseUrl: string, age: number): string {
  return `${baseUrl}/settings/age?age=${age}`
}
