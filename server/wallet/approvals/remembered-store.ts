import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import { ACCESS_PREFIX, MERCHANT_PREFIX, rememberedSubject } from './remembered-subject'

/** Where the person's agents may buy again without asking, as a FROM item `(client_id, merchant_audience, created_at)`. */
export const rememberedMerchantsSql = (principalId: string): Sql => sql`(
  SELECT client_id, substr(subject, ${sql.raw(MERCHANT_PREFIX.length + 1)}) AS merchant_audience, created_at
    FROM remembered_approvals
   WHERE principal_id = ${principalId} AND starts_with(subject, '${sql.raw(MERCHANT_PREFIX)}'))`

/** Whether the agent may buy at the merchant without asking; both are expressions of the statement. */
export const isRememberedSql = ({ clientId, audience }: { readonly clientId: Sql; readonly audience: Sql }): Sql =>
  sql`EXISTS (SELECT 1 FROM remembered_approvals a
               WHERE a.client_id = ${clientId} AND a.subject = '${sql.raw(MERCHANT_PREFIX)}' || ${audience})`

/** Merchants where the agent may buy again without asking, the newest approval first; at most 200. */
export function listRememberedMerchants(db: Queryable, principalId: string, clientId: string) {
  return db.query<{ merchant_audience: string; merchant_name: string | null; created_at: Date }>(
    sql`SELECT r.merchant_audience, m.business_name AS merchant_name, r.created_at
       FROM ${rememberedMerchantsSql(principalId)} r
       LEFT JOIN merchants m USING (merchant_audience)
      WHERE r.client_id = ${clientId}
      ORDER BY r.created_at DESC, r.merchant_audience LIMIT 200`,
  )
}

/** Sets of wallet scopes that the agent may use again without asking, the newest approval first; at most 200. */
export function listRememberedAccess(db: Queryable, principalId: string, clientId: string) {
  return db.query<{ scope: string; created_at: Date }>(
    sql`SELECT substr(subject, ${sql.raw(ACCESS_PREFIX.length + 1)}) AS scope, created_at FROM remembered_approvals
      WHERE principal_id = ${principalId} AND client_id = ${clientId} AND starts_with(subject, '${sql.raw(ACCESS_PREFIX)}')
      ORDER BY created_at DESC, subject LIMIT 200`,
  )
}

interface Remembered {
  readonly principalId: string
  readonly clientId: string
  readonly subject: string
  readonly now: Date
}

export async function rememberApproval(
  tx: Queryable,
  { principalId, clientId, subject, now }: Remembered,
): Promise<void> {
  await tx.query(
    sql`INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at) VALUES (${principalId}, ${clientId}, ${subject}, ${now})
     ON CONFLICT DO NOTHING`,
  )
}

/** Forgets that the agent may buy at the merchant without asking. Returns whether it might. */
export function forgetMerchantApproval(
  db: Queryable,
  principalId: string,
  { clientId, audience }: { readonly clientId: string; readonly audience: string },
): Promise<boolean> {
  const subject = rememberedSubject({ payment: { audience }, scope: [] })
  return forgetSubject(db, sql`principal_id = ${principalId} AND client_id = ${clientId} AND subject = ${subject}`)
}

/** Forgets that the person approved these wallet scopes together. Returns whether they had. */
export function forgetAccessApproval(
  tx: Queryable,
  { clientId, scope }: { readonly clientId: string; readonly scope: readonly string[] },
): Promise<boolean> {
  const subject = rememberedSubject({ payment: null, scope })
  return forgetSubject(tx, sql`client_id = ${clientId} AND subject = ${subject}`)
}

async function forgetSubject(db: Queryable, where: Sql): Promise<boolean> {
  const rows = await db.query(sql`DELETE FROM remembered_approvals WHERE ${where} RETURNING subject`)
  return rows.length === 1
}

/** Forgets everything that was approved for the agent. */
export async function forgetApprovals(tx: Queryable, clientId: string): Promise<void> {
  await tx.query(sql`DELETE FROM remembered_approvals WHERE client_id = ${clientId}`)
}

/** Whether the agent needs no approval for a subject, see `rememberedSubject`; both are expressions of the statement. */
export const isSubjectRememberedSql = ({ clientId, subject }: { readonly clientId: Sql; readonly subject: Sql }): Sql =>
  sql`EXISTS (SELECT 1 FROM remembered_approvals a WHERE a.client_id = ${clientId} AND a.subject = ${subject})`
