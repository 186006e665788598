import type { Database, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { agentCardSql } from '../cards'
import { ACCESS_PREFIX, MERCHANT_PREFIX, rememberedSubject } from './remembered-subject'

/** A request as expressions of a statement. `amount` and `currency` are NULL for wallet access. */
interface RequestSql {
  readonly clientId: Sql
  /** The subject as `rememberedSubject` returns it. */
  readonly subject: Sql
  readonly amount: Sql
  readonly currency: Sql
  /** The merchant's present name in the directory. */
  readonly merchantName: Sql
}

/**
 * SQL expression: whether the agent need not ask, because the person approved the subject before, for a purchase up to
 * an amount, under the merchant's present name and with the card that would be charged now.
 */
export const isRememberedSql = ({ clientId, subject, amount, currency, merchantName }: RequestSql): Sql =>
  sql`EXISTS (SELECT 1 FROM remembered_approvals a
               WHERE a.client_id = ${clientId} AND a.subject = ${subject}
                 AND (a.up_to_minor IS NULL
                      OR (a.currency = ${currency} AND a.up_to_minor >= ${amount}
                          AND a.merchant_name IS NOT DISTINCT FROM ${merchantName}
                          AND a.card_id IS NOT DISTINCT FROM ${agentCardSql({ principalId: sql`a.principal_id`, clientId: sql`a.client_id` })})))`

/** SQL expression: the subject under which a purchase at the merchant is remembered. */
export const merchantSubjectSql = (audience: Sql): Sql => sql`'${sql.raw(MERCHANT_PREFIX)}' || ${audience}`

/**
 * Returns the merchants where the agent may buy again without asking, with the amounts, newest approval first; at most
 * 200.
 */
export function listRememberedMerchants(db: Queryable, principalId: string, clientId: string) {
  return db.query<
    Row<'RememberedApproval', 'created_at'> &
      RememberedAmount & { merchant_audience: string; merchant_name: string | null }
  >(
    sql`SELECT r.merchant_audience, m.business_name AS merchant_name, r.created_at, r.up_to_minor, r.currency
       FROM remembered_merchants r LEFT JOIN merchant_profiles m USING (merchant_audience)
      WHERE r.principal_id = ${principalId} AND r.client_id = ${clientId}
      ORDER BY r.created_at DESC, r.merchant_audience LIMIT 200`,
  )
}

/**
 * Returns the sets of wallet scopes that the agent may use again without asking, newest approval first; at most 200.
 */
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

/** The amount up to which an agent may pay at a merchant without asking. */
export interface RememberedAmount {
  readonly up_to_minor: number
  readonly currency: string
}

interface NewRememberedApproval {
  readonly principalId: string
  readonly clientId: string
  readonly subject: string
  /** The remembered purchase; null for wallet access. */
  readonly purchase: (RememberedAmount & { readonly merchant_name: string | null }) | null
  readonly now: Date
}

/**
 * Saves a remembered approval with the card that the agent pays with now, and replaces an earlier one of the same
 * subject.
 */
export async function saveRememberedApproval(
  tx: Queryable,
  { principalId, clientId, subject, purchase, now }: NewRememberedApproval,
): Promise<void> {
  const { up_to_minor: upTo = null, currency = null, merchant_name: name = null } = purchase ?? {}
  await tx.query(
    sql`INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at, up_to_minor, currency, merchant_name, card_id)
     VALUES (${principalId}, ${clientId}, ${subject}, ${now}, ${upTo}::bigint, ${currency}, ${name},
             CASE WHEN ${upTo}::bigint IS NOT NULL THEN ${agentCardSql({ principalId: sql`${principalId}`, clientId: sql`${clientId}` })} END)
     ON CONFLICT (client_id, subject) DO UPDATE
        SET created_at = excluded.created_at, up_to_minor = excluded.up_to_minor, currency = excluded.currency,
            merchant_name = excluded.merchant_name, card_id = excluded.card_id`,
  )
}

/** Deletes the remembered approval for the merchant. Returns whether there was one. */
export async function forgetMerchantApproval(
  db: Queryable,
  principalId: string,
  { clientId, audience }: { readonly clientId: string; readonly audience: string },
): Promise<boolean> {
  const subject = rememberedSubject({ payment: { audience }, scope: [] })
  const rows = await db.query(
    sql`DELETE FROM remembered_approvals WHERE principal_id = ${principalId} AND client_id = ${clientId} AND subject = ${subject}
     RETURNING subject`,
  )
  return rows.length === 1
}

/** An agent's wallet scopes that the person approved together. */
interface ApprovedAccess {
  readonly clientId: string
  readonly scope: readonly string[]
}

interface AgentSubject {
  readonly clientId: string
  /** See `rememberedSubject`; none is remembered under null. */
  readonly subject: string | null
}

/**
 * SQL query: one row when the approval is still remembered, otherwise none; the approval stays locked until the
 * transaction ends. `agent` is a row source of the agent, which is locked first, in the same order as when an approval
 * is deleted.
 */
export const lockRememberedSql = ({ clientId, subject }: AgentSubject, { agent }: { readonly agent: Sql }): Sql =>
  sql`SELECT 1 FROM ${agent}, remembered_approvals a
       WHERE a.client_id = ${clientId} AND a.subject = ${subject} FOR KEY SHARE OF a`

/** Whether an approval is still remembered. */
export async function isRemembered(db: Queryable, { clientId, subject }: AgentSubject): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 AS one FROM remembered_approvals WHERE client_id = ${clientId} AND subject = ${subject}`,
  )
  return rows.length === 1
}

/** Deletes the remembered approval for this set of wallet scopes. Returns whether there was one. */
export async function forgetAccessApproval(tx: Queryable, { clientId, scope }: ApprovedAccess): Promise<boolean> {
  const subject = rememberedSubject({ payment: null, scope })
  const rows = await tx.query(
    sql`DELETE FROM remembered_approvals WHERE client_id = ${clientId} AND subject = ${subject} RETURNING subject`,
  )
  return rows.length === 1
}

/** Deletes all remembered approvals of the agent. */
export async function forgetApprovals(tx: Queryable, clientId: string): Promise<void> {
  await tx.query(sql`DELETE FROM remembered_approvals WHERE client_id = ${clientId}`)
}
