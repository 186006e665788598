import { type Database, type Queryable, type Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import type { Exceeds } from './rules'

/** A request to exceed limits once for one payment, as its person sees it. */
export type LimitBump = Row<
  'LimitBump',
  | 'id'
  | 'principal_id'
  | 'agent_client_id'
  | 'merchant_audience'
  | 'currency'
  | 'amount_minor'
  | 'exceeds'
  | 'mandate_id'
  | 'consent_id'
  | 'status'
  | 'created_at'
  | 'expires_at',
  { exceeds: Exceeds; status: 'pending' | 'approved' | 'declined' | 'expired' | 'withdrawn' }
>

const bumpColumns = sql`id, principal_id, agent_client_id, merchant_audience, currency, amount_minor, exceeds, mandate_id,
  consent_id, status, created_at, expires_at`

/**
 * Returns the bump with its status, `expired` for one that was not decided in time although its row still says pending.
 */
function withExpiry(bump: LimitBump, now: Date): LimitBump {
  return bump.status === 'pending' && bump.expires_at <= now ? { ...bump, status: 'expired' } : bump
}

/** A purchase in a larger statement: columns of its tables, or values. */
interface PurchaseParts {
  readonly agent: Sql
  readonly audience: Sql
  readonly currency: Sql
  readonly amount: Sql
  /** The items as jsonb; NULL when they are not known. */
  readonly items: Sql
}

/**
 * SQL expression: whether the row `b` of limit_bumps is about this purchase: the same agent, merchant and currency, no
 * greater amount, and the same items where it names any.
 */
export const isForPurchaseSql = ({ agent, audience, currency, amount, items }: PurchaseParts): Sql =>
  sql`b.agent_client_id = ${agent} AND b.merchant_audience = ${audience} AND b.currency = ${currency}
             AND b.amount_minor >= ${amount} AND (b.line_items IS NULL OR b.line_items = ${items})`

/** The payment that a limit request is about. */
export interface BumpPurchase {
  readonly principalId: string
  readonly agentClientId: string
  readonly merchantAudience: string
  readonly currency: string
  readonly amountMinor: number
  /** The items as an expression of jsonb; NULL when they are not known. */
  readonly items: Sql
}

export interface NewBump extends BumpPurchase {
  readonly id: string
  readonly exceeds: Exceeds
  readonly mandateId: string | null
  readonly consentId: string | null
  readonly now: Date
  readonly expiresAt: Date
}

export async function insertBump(tx: Queryable, bump: NewBump): Promise<void> {
  await tx.query(
    sql`INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, currency, amount_minor, line_items,
                              exceeds, mandate_id, consent_id, created_at, expires_at)
     VALUES (${bump.id}, ${bump.principalId}, ${bump.agentClientId}, ${bump.merchantAudience}, ${bump.currency}, ${bump.amountMinor}::bigint,
             ${bump.items}, ${JSON.stringify(bump.exceeds)}::jsonb, ${bump.mandateId}, ${bump.consentId}, ${bump.now}, ${bump.expiresAt})`,
  )
}

/** A limit request without a consent, with the members that a later refusal of the same agent compares. */
export type EarlierBump = Row<'LimitBump', 'id' | 'exceeds' | 'status', Pick<LimitBump, 'exceeds' | 'status'>> & {
  /** Whether its approval would also cover the purchase. */
  readonly covers_purchase: boolean
  /** Whether it is about the same purchase. */
  readonly same_purchase: boolean
}

/**
 * Returns the agent's limit requests without a consent that wait or were declined in the last 24 hours, newest first.
 */
export async function listEarlierOfAgent(tx: Queryable, purchase: BumpPurchase, now: Date): Promise<EarlierBump[]> {
  const parts = {
    agent: sql`${purchase.agentClientId}`,
    audience: sql`${purchase.merchantAudience}`,
    currency: sql`${purchase.currency}`,
    amount: sql`${purchase.amountMinor}::bigint`,
    items: purchase.items,
  }
  return tx.query<EarlierBump>(
    sql`SELECT e.id, e.exceeds, e.status, e.covers_purchase,
            e.covers_purchase AND e.amount_minor = ${purchase.amountMinor}::bigint AND e.line_items IS NOT DISTINCT FROM ${purchase.items} AS same_purchase
       FROM (SELECT b.*, coalesce(${isForPurchaseSql(parts)}, false) AS covers_purchase FROM limit_bumps b
              WHERE b.principal_id = ${purchase.principalId} AND b.agent_client_id = ${purchase.agentClientId}
                AND b.consent_id IS NULL AND b.status IN ('pending', 'declined') AND b.expires_at > ${now}) e
      ORDER BY e.created_at DESC, e.id`,
  )
}

/** Withdraws waiting limit requests that another one replaces. */
export async function withdrawBumps(tx: Queryable, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.query(sql`UPDATE limit_bumps SET status = 'withdrawn', decided_at = ${now} WHERE id = ANY (${ids}::text[])`)
}

/** Decides a waiting limit request without a consent; returns null when there is none. */
export async function decideWaitingBump(
  tx: Queryable,
  bump: { bumpId: string; principalId: string; now: Date },
  decision: 'approved' | 'declined',
): Promise<LimitBump | null> {
  const [row] = await tx.query<LimitBump>(
    sql`UPDATE limit_bumps SET status = ${decision}, decided_at = ${bump.now}
      WHERE id = ${bump.bumpId} AND principal_id = ${bump.principalId} AND consent_id IS NULL
        AND status = 'pending' AND expires_at > ${bump.now}
      RETURNING ${bumpColumns}`,
  )
  return row === undefined ? null : withExpiry(row, bump.now)
}

/** Decides the limit request of a consent together with it. A grant is then valid until `grantedUntil`. */
export async function decideBumpOfConsent(
  tx: Queryable,
  { consentId, now, grantedUntil }: { consentId: string; now: Date; grantedUntil: Date },
  decision: 'approved' | 'declined',
): Promise<void> {
  await tx.query(
    sql`UPDATE limit_bumps SET status = ${decision}, decided_at = ${now}, expires_at = ${grantedUntil}
      WHERE consent_id = ${consentId} AND status = 'pending'`,
  )
}

/** SQL expression: the limits that a limit request names, as jsonb. */
export const exceedsSql = (bumpId: Sql): Sql => sql`(SELECT b.exceeds FROM limit_bumps b WHERE b.id = ${bumpId})`

export async function findBump(
  db: Queryable,
  bump: { bumpId: string; principalId: string; now: Date },
): Promise<LimitBump | null> {
  const [row] = await db.query<LimitBump>(
    sql`SELECT ${bumpColumns} FROM limit_bumps WHERE id = ${bump.bumpId} AND principal_id = ${bump.principalId}`,
  )
  return row === undefined ? null : withExpiry(row, bump.now)
}

/** Returns the limit requests without a consent that wait for the person, newest first. */
export async function listWaitingBumps(db: Database, principalId: string, now: Date): Promise<LimitBump[]> {
  const rows = await db.prisma.limitBump.findMany({
    where: { principal_id: principalId, consent_id: null, status: 'pending', expires_at: { gt: now } },
    orderBy: [{ created_at: 'desc' }, { id: 'asc' }],
    take: 200,
  })
  return rows.map((row) => rowOf<LimitBump>(row))
}

/** Stores the token of the bump's RCS message; an existing token is kept. */
export async function updateBumpToken(tx: Queryable, bump: { bumpId: string; tokenHash: string }): Promise<void> {
  await tx.query(
    sql`UPDATE limit_bumps SET rcs_token_hash = ${bump.tokenHash} WHERE id = ${bump.bumpId} AND rcs_token_hash IS NULL`,
  )
}

/**
 * Returns the person whose bump the token was made for, used or not; null for another bump's token and for an erased
 * person.
 */
export async function findBumpOwner(
  tx: Queryable,
  bump: { bumpId: string; tokenHash: string },
): Promise<{ readonly principalId: string; readonly tenantId: string } | null> {
  const [row] = await tx.query<Row<'LimitBump', 'principal_id'> & Row<'Principal', 'tenant_id'>>(
    sql`SELECT b.principal_id, p.tenant_id FROM limit_bumps b JOIN active_principals p ON p.id = b.principal_id
      WHERE b.id = ${bump.bumpId} AND b.rcs_token_hash = ${bump.tokenHash}`,
  )
  return row === undefined ? null : { principalId: row.principal_id, tenantId: row.tenant_id }
}

/** Consumes the token; returns false when it was used before, is not this bump's, or the bump has expired. */
export async function consumeBumpToken(
  tx: Queryable,
  bump: { bumpId: string; tokenHash: string; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE limit_bumps SET rcs_token_used_at = ${bump.now}
      WHERE id = ${bump.bumpId} AND rcs_token_hash = ${bump.tokenHash} AND rcs_token_used_at IS NULL AND expires_at > ${bump.now}
      RETURNING id`,
  )
  return rows.length === 1
}

/** Declines the agent's waiting limit requests because the agent is revoked. */
export async function declinePendingBumps(tx: Transaction, clientId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE limit_bumps SET status = 'declined', decided_at = ${now}
      WHERE agent_client_id = ${clientId} AND status = 'pending' AND expires_at > ${now}`,
  )
}

/** Withdraws the limit requests that wait for the person, of one agent or of all. */
export async function withdrawPendingBumps(
  tx: Transaction,
  {
    principalId,
    clientId,
    now,
  }: { readonly principalId: string; readonly clientId: string | null; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`UPDATE limit_bumps SET status = 'withdrawn', decided_at = ${now}
      WHERE principal_id = ${principalId} AND agent_client_id = coalesce(${clientId}::text, agent_client_id)
        AND status = 'pending' AND expires_at > ${now}`,
  )
}

/**
 * SQL statement that withdraws the limit requests of the consents in the row source `withdrawn`, given by
 * `authorization_id`.
 */
export const withdrawBumpsSql = ({ withdrawn, now }: { readonly withdrawn: Sql; readonly now: Date }): Sql =>
  sql`UPDATE limit_bumps b SET status = 'withdrawn', decided_at = ${now}
        FROM ${withdrawn} w WHERE b.consent_id = w.authorization_id AND b.status = 'pending'`

/** SQL expression: whether a settlement used a grant. */
export const hasUsedGrantSql = (settlementId: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM limit_bumps b WHERE b.used_by = ${settlementId})`
