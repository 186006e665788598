import type { Queryable } from '../../base/core/platform'
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

/** What a merchant asks of its buyers' age; null when anybody may buy there. */
export async function findRequiredAge(
  db: Queryable,
  { principalId, audience, now }: Purchase,
): Promise<RequiredAge | null> {
  const isProven = isAgeProvenSql({ principal: sql`${principalId}`, age: sql`m.min_age`, now: sql`${now}` })
  const [row] = await db.query<{ min_age: number; is_proven: boolean }>(
    sql`SELECT m.min_age, ${isProven} AS is_proven FROM merchant_profiles m
      WHERE m.merchant_audience = ${audience} AND m.min_age IS NOT NULL`,
  )
  return row === undefined ? null : { age: row.min_age, isProven: row.is_proven }
}

/** Why a purchase cannot go on until the person has proven their age. */
export function describeRequiredAge(age: number): string {
  return `The merchant sells only to people of ${age} and older. The person has yet to prove their age in their wallet.`
}

/** The page of the portal where a person proves an age. */
export function provingPage(baseUrl: string, age: number): string {
  return `${baseUrl}/settings/age?age=${age}`
}
