import type { Queryable } from '../core/platform'
import type { LimitKind, LimitScope } from './rules'

type BumpStatus = 'pending' | 'approved' | 'declined' | 'expired'

/** A request to exceed one limit once, as its owner sees it. Amounts in minor units; counts for velocity. */
export interface LimitBump {
  readonly id: string
  readonly principalId: string
  readonly scope: LimitScope
  readonly kind: LimitKind
  readonly agentClientId: string
  readonly merchantAudience: string
  readonly currency: string
  readonly currentMinor: number
  readonly requestedMinor: number
  readonly mandateId: string | null
  readonly status: BumpStatus
  readonly createdAt: Date
  readonly expiresAt: Date
}

interface BumpRow {
  id: string
  principal_id: string
  scope: LimitScope
  kind: LimitKind
  agent_client_id: string
  merchant_audience: string
  currency: string
  current_minor: number
  requested_minor: number
  mandate_id: string | null
  status: BumpStatus
  created_at: Date
  expires_at: Date
}

const bumpColumns = `id, principal_id, scope, kind, agent_client_id, merchant_audience, currency, current_minor,
  requested_minor, mandate_id, status, created_at, expires_at`

/** A bump that nobody decided in time has expired, whatever its row still says. */
function toBump(row: BumpRow, now: Date): LimitBump {
  return {
    id: row.id,
    principalId: row.principal_id,
    scope: row.scope,
    kind: row.kind,
    agentClientId: row.agent_client_id,
    merchantAudience: row.merchant_audience,
    currency: row.currency,
    currentMinor: row.current_minor,
    requestedMinor: row.requested_minor,
    mandateId: row.mandate_id,
    status: row.status === 'pending' && row.expires_at <= now ? 'expired' : row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
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

/** Opens the bump unless the very same one is waiting already. Returns the id of the one that waits. */
export async function insertBump(tx: Queryable, bump: NewBump): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `INSERT INTO limit_bumps AS waiting (id, principal_id, agent_client_id, merchant_audience, kind, day, currency,
                                         current_minor, requested_minor, mandate_id, opened_with, created_at, expires_at,
                                         scope)
     VALUES ($1, $2, $3, $4, $5, $6::date, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (agent_client_id, merchant_audience, scope, kind, day, current_minor, requested_minor,
                  coalesce(opened_with, '')) WHERE status = 'pending'
       DO UPDATE SET status = waiting.status
     RETURNING id`,
    [
      bump.id,
      bump.principalId,
      bump.agentClientId,
      bump.merchantAudience,
      bump.kind,
      bump.day,
      bump.currency,
      bump.current,
      bump.requested,
      bump.mandateId,
      bump.openedWith,
      bump.now,
      bump.expiresAt,
      bump.scope,
    ],
  )
  return row?.id ?? bump.id
}

/** A bump that waits for the same limit of the same agent at the same merchant today, whatever its amount. */
export async function findWaitingBump(
  tx: Queryable,
  ask: Pick<NewBump, 'agentClientId' | 'merchantAudience' | 'scope' | 'kind' | 'day' | 'current' | 'now'>,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT id FROM limit_bumps
      WHERE agent_client_id = $1 AND merchant_audience = $2 AND kind = $3 AND day = $4::date AND current_minor <= $5
        AND status = 'pending' AND expires_at > $6 AND scope = $7
      ORDER BY created_at DESC, id LIMIT 1`,
    [ask.agentClientId, ask.merchantAudience, ask.kind, ask.day, ask.current, ask.now, ask.scope],
  )
  return row?.id ?? null
}

/** Decides a waiting bump and those that were opened with it. Returns the named one when this call decided it. */
export async function decideWaitingBump(
  tx: Queryable,
  bump: { bumpId: string; principalId: string; now: Date },
  decision: 'approved' | 'declined',
): Promise<LimitBump | null> {
  const rows = await tx.query<BumpRow>(
    `UPDATE limit_bumps SET status = $4, decided_at = $3
      WHERE (id = $1 OR opened_with = $1) AND principal_id = $2 AND status = 'pending' AND expires_at > $3
      RETURNING ${bumpColumns}`,
    [bump.bumpId, bump.principalId, bump.now, decision],
  )
  const row = rows.find(({ id }) => id === bump.bumpId)
  return row === undefined ? null : toBump(row, bump.now)
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
  const rows = await tx.query<{ id: string }>(
    `WITH claimed AS (
       UPDATE limit_bumps SET status = 'approved', decided_at = coalesce(decided_at, $3), consent_id = $4
        WHERE (id = $1 OR opened_with = $1) AND principal_id = $2 AND consent_id IS NULL
          AND status IN ('pending', 'approved') AND expires_at > $3
        RETURNING id)
     SELECT id FROM limit_bumps
      WHERE (id = $1 OR opened_with = $1) AND principal_id = $2 AND id NOT IN (SELECT id FROM claimed)`,
    [bump.bumpId, bump.principalId, bump.now, consentId],
  )
  return rows.map(({ id }) => id)
}

/** Copies bumps that were decided before as ones that are granted anew, to this consent. */
export async function grantAgain(
  tx: Queryable,
  copies: readonly { readonly bumpId: string; readonly freshId: string }[],
  { consentId, now }: { consentId: string; now: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, scope, kind, day, currency,
                              current_minor, requested_minor, mandate_id, status, consent_id, created_at, expires_at, decided_at)
     SELECT copy.fresh_id, b.principal_id, b.agent_client_id, b.merchant_audience, b.scope, b.kind, b.day, b.currency,
            b.current_minor, b.requested_minor, b.mandate_id, 'approved', $3, $4::timestamptz,
            $4::timestamptz + (b.expires_at - b.created_at), $4::timestamptz
       FROM unnest($1::text[], $2::text[]) AS copy (bump_id, fresh_id) JOIN limit_bumps b ON b.id = copy.bump_id`,
    [copies.map(({ bumpId }) => bumpId), copies.map(({ freshId }) => freshId), consentId, now],
  )
}

export async function findBump(
  db: Queryable,
  bump: { bumpId: string; principalId: string; now: Date },
): Promise<LimitBump | null> {
  const [row] = await db.query<BumpRow>(`SELECT ${bumpColumns} FROM limit_bumps WHERE id = $1 AND principal_id = $2`, [
    bump.bumpId,
    bump.principalId,
  ])
  return row === undefined ? null : toBump(row, bump.now)
}

/** The bumps that wait for the person, newest first. */
export async function listWaitingBumps(db: Queryable, principalId: string, now: Date): Promise<LimitBump[]> {
  const rows = await db.query<BumpRow>(
    `SELECT ${bumpColumns} FROM limit_bumps
      WHERE principal_id = $1 AND status = 'pending' AND expires_at > $2
      ORDER BY created_at DESC, id LIMIT 200`,
    [principalId, now],
  )
  return rows.map((row) => toBump(row, now))
}

/** Keeps the token that the bump's RCS message carries; a bump that has one keeps that. */
export async function keepBumpToken(tx: Queryable, bump: { bumpId: string; tokenHash: string }): Promise<void> {
  await tx.query('UPDATE limit_bumps SET rcs_token_hash = $2 WHERE id = $1 AND rcs_token_hash IS NULL', [
    bump.bumpId,
    bump.tokenHash,
  ])
}

/** Whose bump it is that this token, used or not, was made for. Nobody's, once the person is erased. */
export async function findBumpOwner(
  tx: Queryable,
  bump: { bumpId: string; tokenHash: string },
): Promise<string | null> {
  const [row] = await tx.query<{ principal_id: string }>(
    `SELECT b.principal_id FROM limit_bumps b JOIN principals p ON p.id = b.principal_id
      WHERE b.id = $1 AND b.rcs_token_hash = $2 AND NOT p.erased`,
    [bump.bumpId, bump.tokenHash],
  )
  return row?.principal_id ?? null
}

/** Uses the token up; false when it was used before, is not this bump's, or the bump's time is over. */
export async function consumeBumpToken(
  tx: Queryable,
  bump: { bumpId: string; tokenHash: string; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE limit_bumps SET rcs_token_used_at = $3
      WHERE id = $1 AND rcs_token_hash = $2 AND rcs_token_used_at IS NULL AND expires_at > $3
      RETURNING id`,
    [bump.bumpId, bump.tokenHash, bump.now],
  )
  return rows.length === 1
}
