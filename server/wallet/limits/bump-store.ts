import { type Database, type Queryable, type Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import type { LimitKind, LimitScope } from './rules'

/** A request to exceed one limit once, as its owner sees it. Amounts in minor units; counts for velocity. */
export type LimitBump = Row<
  'LimitBump',
  | 'id'
  | 'principal_id'
  | 'scope'
  | 'kind'
  | 'agent_client_id'
  | 'merchant_audience'
  | 'currency'
  | 'current_minor'
  | 'requested_minor'
  | 'mandate_id'
  | 'status'
  | 'created_at'
  | 'expires_at',
  { scope: LimitScope; kind: LimitKind; status: 'pending' | 'approved' | 'declined' | 'expired' | 'withdrawn' }
>

const bumpColumns = sql`id, principal_id, scope, kind, agent_client_id, merchant_audience, currency, current_minor,
  requested_minor, mandate_id, status, created_at, expires_at`

/** A bump that was not decided in time has expired, although its row still says pending. */
function withExpiry(bump: LimitBump, now: Date): LimitBump {
  return bump.status === 'pending' && bump.expires_at <= now ? { ...bump, status: 'expired' } : bump
}

export interface NewBump {
  readonly id: string
  readonly principalId: string
  readonly scope: LimitScope
  readonly kind: LimitKind
  readonly agentClientId: string
  readonly merchantAudience: string
  readonly currency: string
  readonly current: number
  readonly requested: number
  readonly mandateId: string | null
  readonly openedWith: string | null
  readonly day: string
  readonly now: Date
  readonly expiresAt: Date
}

/** Inserts the bump unless an equal one is waiting already. Returns the id of the one that waits. */
export async function insertBump(tx: Queryable, bump: NewBump): Promise<string> {
  const [row] = await tx.query<Row<'LimitBump', 'id'>>(
    sql`INSERT INTO limit_bumps AS waiting (id, principal_id, agent_client_id, merchant_audience, kind, day, currency,
                                         current_minor, requested_minor, mandate_id, opened_with, created_at, expires_at,
                                         scope)
     VALUES (${bump.id}, ${bump.principalId}, ${bump.agentClientId}, ${bump.merchantAudience}, ${bump.kind}, ${bump.day}::date, ${bump.currency}, ${bump.current}, ${bump.requested}, ${bump.mandateId}, ${bump.openedWith}, ${bump.now}, ${bump.expiresAt}, ${bump.scope})
     ON CONFLICT (agent_client_id, merchant_audience, scope, kind, day, current_minor, requested_minor,
                  coalesce(opened_with, '')) WHERE status = 'pending'
       DO UPDATE SET status = waiting.status
     RETURNING id`,
  )
  return row?.id ?? bump.id
}

/** A bump of any amount that waits for the same limit of the same agent at the same merchant today. */
export async function findWaitingBump(
  tx: Queryable,
  ask: Pick<NewBump, 'agentClientId' | 'merchantAudience' | 'scope' | 'kind' | 'day' | 'current' | 'now'>,
): Promise<string | null> {
  const [row] = await tx.query<Row<'LimitBump', 'id'>>(
    sql`SELECT id FROM limit_bumps
      WHERE agent_client_id = ${ask.agentClientId} AND merchant_audience = ${ask.merchantAudience} AND kind = ${ask.kind} AND day = ${ask.day}::date AND current_minor <= ${ask.current}
        AND status = 'pending' AND expires_at > ${ask.now} AND scope = ${ask.scope}
      ORDER BY created_at DESC, id LIMIT 1`,
  )
  return row?.id ?? null
}

/** Decides a waiting bump and those that were opened with it. Returns the named one when this call decided it. */
export async function decideWaitingBump(
  tx: Queryable,
  bump: { bumpId: string; principalId: string; now: Date },
  decision: 'approved' | 'declined',
): Promise<LimitBump | null> {
  const rows = await tx.query<LimitBump>(
    sql`UPDATE limit_bumps SET status = ${decision}, decided_at = ${bump.now}
      WHERE (id = ${bump.bumpId} OR opened_with = ${bump.bumpId}) AND principal_id = ${bump.principalId} AND status = 'pending' AND expires_at > ${bump.now}
      RETURNING ${bumpColumns}`,
  )
  const row = rows.find(({ id }) => id === bump.bumpId)
  return row === undefined ? null : withExpiry(row, bump.now)
}

/**
 * Makes the grants of a bump, and of those that were opened with it, a consent's own: of those that wait for a decision,
 * by approving them, and of those that were approved directly. Returns the bumps that have no grant left to take.
 */
export async function claimGrants(
  tx: Queryable,
  bump: { bumpId: string; principalId: string; now: Date },
  consentId: string,
): Promise<string[]> {
  const rows = await tx.query<Row<'LimitBump', 'id'>>(
    sql`WITH claimed AS (
       UPDATE limit_bumps SET status = 'approved', decided_at = coalesce(decided_at, ${bump.now}), consent_id = ${consentId}
        WHERE (id = ${bump.bumpId} OR opened_with = ${bump.bumpId}) AND principal_id = ${bump.principalId} AND consent_id IS NULL
          AND status IN ('pending', 'approved') AND expires_at > ${bump.now}
        RETURNING id)
     SELECT id FROM limit_bumps
      WHERE (id = ${bump.bumpId} OR opened_with = ${bump.bumpId}) AND principal_id = ${bump.principalId} AND id NOT IN (SELECT id FROM claimed)`,
  )
  return rows.map(({ id }) => id)
}

/** Copies bumps that were decided before as ones that are granted again, to this consent. */
export async function grantAgain(
  tx: Queryable,
  copies: readonly { readonly bumpId: string; readonly freshId: string }[],
  { consentId, now }: { consentId: string; now: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, scope, kind, day, currency,
                              current_minor, requested_minor, mandate_id, status, consent_id, created_at, expires_at, decided_at)
     SELECT copy.fresh_id, b.principal_id, b.agent_client_id, b.merchant_audience, b.scope, b.kind, b.day, b.currency,
            b.current_minor, b.requested_minor, b.mandate_id, 'approved', ${consentId}, ${now}::timestamptz,
            ${now}::timestamptz + (b.expires_at - b.created_at), ${now}::timestamptz
       FROM unnest(${copies.map(({ bumpId }) => bumpId)}::text[], ${copies.map(({ freshId }) => freshId)}::text[]) AS copy (bump_id, fresh_id) JOIN limit_bumps b ON b.id = copy.bump_id`,
  )
}

export async function findBump(
  db: Queryable,
  bump: { bumpId: string; principalId: string; now: Date },
): Promise<LimitBump | null> {
  const [row] = await db.query<LimitBump>(
    sql`SELECT ${bumpColumns} FROM limit_bumps WHERE id = ${bump.bumpId} AND principal_id = ${bump.principalId}`,
  )
  return row === undefined ? null : withExpiry(row, bump.now)
}

/** The bumps that wait for the person, newest first. */
export async function listWaitingBumps(db: Database, principalId: string, now: Date): Promise<LimitBump[]> {
  const rows = await db.prisma.limitBump.findMany({
    where: { principal_id: principalId, status: 'pending', expires_at: { gt: now } },
    orderBy: [{ created_at: 'desc' }, { id: 'asc' }],
    take: 200,
  })
  return rows.map((row) => rowOf<LimitBump>(row))
}

/** Stores the token that the bump's RCS message carries; a bump that has one keeps that. */
export async function updateBumpToken(tx: Queryable, bump: { bumpId: string; tokenHash: string }): Promise<void> {
  await tx.query(
    sql`UPDATE limit_bumps SET rcs_token_hash = ${bump.tokenHash} WHERE id = ${bump.bumpId} AND rcs_token_hash IS NULL`,
  )
}

/** The person whose bump the token was made for, used or not; null for another bump's token and for an erased person. */
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

/** Uses the token up; false when it was used before, is not this bump's, or the bump's time is over. */
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

/** Declines the limit requests that wait for the person because the agent that asks is revoked. */
export async function declinePendingLimitRequests(tx: Transaction, clientId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE limit_bumps SET status = 'declined', decided_at = ${now}
      WHERE agent_client_id = ${clientId} AND status = 'pending' AND expires_at > ${now}`,
  )
}

/** Ends the limit requests that wait for the person, of one agent or of all. */
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

/** SQL that ends the limit requests that `withdrawn`, a row source, names with `principal_id` and `limit_bump_id`. */
export const withdrawBumpsSql = (parts: {
  readonly withdrawn: Sql
  readonly condition: Sql
  readonly now: Date
}): Sql =>
  sql`UPDATE limit_bumps b SET status = 'withdrawn', decided_at = ${parts.now}
        FROM ${parts.withdrawn} w
       WHERE (b.id = w.limit_bump_id OR b.opened_with = w.limit_bump_id) AND b.principal_id = w.principal_id
         AND b.status = 'pending' AND b.expires_at > ${parts.now} AND ${parts.condition}`

/** Whether a settlement used a grant. */
export const hasUsedGrantSql = (settlementId: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM limit_bumps b WHERE b.used_by = ${settlementId})`
