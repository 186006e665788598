import type { Acr } from '../../base/core/authentication'
import { batchedFor, inPlaces } from '../../base/core/batching'
import { type Database } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { type Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type PublicJwk } from '../../base/protocol/jwk'
import type { PrincipalRow } from '../../shared/principals'
import { isAgeProvenSql } from '../../wallet/age-proofs'
import { type AuthorizationDetail } from './contract'

/** The columns that pushed requests, magic links and codes have in common. */
export const requestColumnsSql = sql`client_id, principal_id, jkt, dpop_jwk, redirect_uri, code_challenge, scope, resources,
  authorization_details, merchant_audience`

/** A code that a statement may store. */
export interface NewCode {
  readonly codeHash: string
  readonly now: Date
  readonly expiresAt: Date
}

/** A code, with the facts that determine whether its agent gets tokens. */
export type CodeRow = Row<
  'AuthorizationCode',
  | 'client_id'
  | 'principal_id'
  | 'jkt'
  | 'dpop_jwk'
  | 'redirect_uri'
  | 'code_challenge'
  | 'scope'
  | 'resources'
  | 'authorization_details'
  | 'authorization_id'
  | 'acr'
  | 'auth_time'
  | 'expires_at'
  | 'redeemed_at'
  | 'family_id',
  {
    dpop_jwk: PublicJwk
    scope: string[]
    resources: string[]
    authorization_details: AuthorizationDetail[]
    acr: Acr
  }
> & {
  tenant_id: string
  /** Whether the client has not been revoked. */
  active: boolean
  /** Whether the person is erased or has restricted processing. */
  barred: boolean
  approval_rule: PrincipalRow['approval_rule']
  /** The age that the merchant requires of buyers; null for none. */
  min_age: number | null
  /** Whether the person has proven `min_age`; true when there is none. */
  age_proven: boolean
}

interface CodeQuery {
  readonly codeHash: string
  readonly now: Date
}

const queryColumns = { place: 'int', code_hash: 'text', at: 'timestamptz' } as const

/** The most codes that one statement reads. */
const READ_TOGETHER_MAX = 50

/** Finds a code by its hash, with the facts that its redemption depends on; null when there is none. */
export const findCode = batchedFor<Database, CodeQuery, CodeRow | null>(async (db, queries) => {
  const asked = queries.map(({ codeHash, now }, place) => ({ place, code_hash: codeHash, at: now }))
  const isProven = isAgeProvenSql({ principal: sql`k.principal_id`, age: sql`m.min_age`, now: sql`asked.at` })
  const rows = await db.query<CodeRow & { place: number }>(
    sql`SELECT asked.place, k.client_id, k.principal_id, c.tenant_id, k.jkt, k.scope, k.resources,
            k.authorization_details, k.authorization_id, k.acr, k.auth_time, c.revoked_at IS NULL AS active,
            (p.erased OR p.processing_restricted) AS barred, p.approval_rule, k.dpop_jwk, k.redirect_uri, k.code_challenge,
            k.expires_at, k.redeemed_at, k.family_id, m.min_age, ${isProven} AS age_proven
       FROM ${sql.rows('asked', queryColumns, asked)}
       JOIN authorization_codes k ON k.code_hash = asked.code_hash
       JOIN agents c ON c.id = k.client_id JOIN principal_profiles p ON p.id = k.principal_id
       LEFT JOIN merchant_profiles m ON m.merchant_audience = k.merchant_audience`,
  )
  return inPlaces(rows, queries)
}, READ_TOGETHER_MAX)

interface CodeRedemption {
  readonly codeHash: string
  readonly familyId: string
  readonly now: Date
  /** A further condition for the redemption. */
  readonly condition: Sql
}

/** Returns SQL that redeems a code for a token family and returns its row; none when it was redeemed or has expired. */
export const redeemCodeSql = ({ codeHash, familyId, now, condition }: CodeRedemption): Sql =>
  sql`UPDATE authorization_codes SET redeemed_at = ${now}, family_id = ${familyId}
       WHERE code_hash = ${codeHash} AND redeemed_at IS NULL AND expires_at > ${now} AND ${condition}
      RETURNING *`

/** Deletes codes some time after they expired; until then a replay is detected and ends the code's family. */
export function sweepAuthorizationCodes(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('codes', now)
  return countSwept(
    db,
    sql`DELETE FROM authorization_codes WHERE code_hash IN
       (SELECT code_hash FROM authorization_codes WHERE ${oldestSql(sql`expires_at`, before)})`,
  )
}
