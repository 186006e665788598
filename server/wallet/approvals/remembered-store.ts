import type { Database, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { ACCESS_PREFIX, MERCHANT_PREFIX, rememberedSubject } from './remembered-subject'

/** Whether the agent may buy at the merchant without asking; both are expressions of the statement. */
export const isRememberedSql = ({ clientId, audience }: { readonly clientId: Sql; readonly audience: Sql }): Sql =>
  sql`EXISTS (SELECT 1 FROM remembered_approvals a
               WHERE a.client_id = ${clientId} AND a.subject = '${sql.raw(MERCHANT_PREFIX)}' || ${audience})`

/** Merchants where the agent may buy again without asking, the newest approval first; at most 200. */
export function listRememberedMerchants(db: Queryable, principalId: string, clientId: string) {
  return db.query<
    Row<'RememberedApproval', 'created_at'> & { merchant_audience: string; merchant_name: string | null }
  >(
    sql`SELECT r.merchant_audience, m.business_name AS merchant_name, r.created_at
       FROM remembered_merchants r LEFT JOIN merchant_profiles m USING (merchant_audience)
      WHERE r.principal_id = ${principalId} AND r.client_id = ${clientId}
      ORDER BY r.created_at DESC, r.merchant_audience LIMIT 200`,
  )
}

/** Sets of wallet scopes that the agent may use again without asking, the newest approval first; at most 200. */
export async function listRememberedAccess(
  db: Database,
  principalId: string,
  clientId: string,
): Promise<{ scope: string; created_at: Date }[]> {
  const rows = await db.prisma.rememberedApproval.findMany({
    where: { principal_id: principalId, client_id: clientId, subject: { startsWith: ACCESS_PREFIX } },
    select: { subject: true, created_at: true },
    orderBy: [{ created_at: 'desc' }, { subject: 'asc' }],
    take: 200,
  })
  return rows.map(({ subject, created_at }) => ({ scope: subject.slice(ACCESS_PREFIX.length), created_at }))
}

interface NewRememberedApproval {
  readonly principalId: string
  readonly clientId: string
  readonly subject: string
  readonly now: Date
}

export async function insertRememberedApproval(
  tx: Queryable,
  { principalId, clientId, subject, now }: NewRememberedApproval,
): Promise<void> {
  await tx.query(
    sql`INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at) VALUES (${principalId}, ${clientId}, ${subject}, ${now})
     ON CONFLICT DO NOTHING`,
  )
}

/** Forgets that the agent may buy at the merchant without asking. Returns whether it might. */
export async function forgetMerchantApproval(
  db: Database,
  principalId: string,
  { clientId, audience }: { readonly clientId: string; readonly audience: string },
): Promise<boolean> {
  const subject = rememberedSubject({ payment: { audience }, scope: [] })
  const { count } = await db.prisma.rememberedApproval.deleteMany({
    where: { principal_id: principalId, client_id: clientId, subject },
  })
  return count === 1
}

/** Forgets that the person approved these wallet scopes together. Returns whether they had. */
export async function forgetAccessApproval(
  tx: Queryable,
  { clientId, scope }: { readonly clientId: string; readonly scope: readonly string[] },
): Promise<boolean> {
  const subject = rememberedSubject({ payment: null, scope })
  const rows = await tx.query(
    sql`DELETE FROM remembered_approvals WHERE client_id = ${clientId} AND subject = ${subject} RETURNING subject`,
  )
  return rows.length === 1
}

/** Forgets everything that was approved for the agent. */
export async function forgetApprovals(tx: Queryable, clientId: string): Promise<void> {
  await tx.query(sql`DELETE FROM remembered_approvals WHERE client_id = ${clientId}`)
}

/** Whether the agent needs no approval for a subject, see `rememberedSubject`; both are expressions of the statement. */
export const isSubjectRememberedSql = ({ clientId, subject }: { readonly clientId: Sql; readonly subject: Sql }): Sql =>
  sql`EXISTS (SELECT 1 FROM remembered_approvals a WHERE a.client_id = ${clientId} AND a.subject = ${subject})`
