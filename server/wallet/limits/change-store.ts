import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { Limits } from './rules'
import { limitsFromWire, limitsToWire, type RecordedLimits } from './wire-limits'

/** The owner of limits: a person, for all their agents together, or, with a client id, one agent. */
export interface LimitsOwner {
  readonly principalId: string
  readonly clientId: string | null
}

export type LimitChangeKind = 'start' | 'save' | 'freeze' | 'restore' | 'undo' | 'connect'

/** One change of limits, with those before and after; null for no limits. */
export interface LimitChange {
  readonly id: string
  readonly clientId: string | null
  readonly kind: LimitChangeKind
  readonly before: Limits | null
  readonly after: Limits | null
  readonly via: 'portal' | 'token'
  readonly sessionHash: string | null
  readonly createdAt: Date
}

type ChangeRow = Row<
  'LimitChange',
  'id' | 'client_id' | 'kind' | 'before' | 'after' | 'via' | 'session_hash' | 'created_at',
  { kind: LimitChangeKind; before: RecordedLimits | null; after: RecordedLimits | null; via: LimitChange['via'] }
>

const columns = sql`c.id, c.client_id, c.kind, c.before, c.after, c.via, c.session_hash, c.created_at`

function toChange(row: ChangeRow): LimitChange {
  return {
    id: row.id,
    clientId: row.client_id,
    kind: row.kind,
    before: row.before === null ? null : limitsFromWire(row.before),
    after: row.after === null ? null : limitsFromWire(row.after),
    via: row.via,
    sessionHash: row.session_hash,
    createdAt: row.created_at,
  }
}

const toJson = (limits: Limits | null) => (limits === null ? null : JSON.stringify(limitsToWire(limits)))

export async function insertLimitChange(tx: Queryable, principalId: string, change: LimitChange): Promise<void> {
  await tx.query(
    sql`INSERT INTO limit_changes (id, principal_id, client_id, kind, before, after, via, session_hash, created_at)
     VALUES (${change.id}, ${principalId}, ${change.clientId}, ${change.kind}, ${toJson(change.before)}::jsonb, ${toJson(change.after)}::jsonb, ${change.via}, ${change.sessionHash}, ${change.createdAt})`,
  )
}

/** Returns one change of the person's limits, and whether it is still the last one. */
export async function findLimitChange(
  tx: Queryable,
  principalId: string,
  changeId: string,
): Promise<{ readonly change: LimitChange; readonly isLast: boolean } | null> {
  const [row] = await tx.query<ChangeRow & { is_last: boolean }>(
    sql`SELECT ${columns}, NOT EXISTS (
              SELECT 1 FROM limit_changes later
               WHERE later.principal_id = c.principal_id AND later.client_id IS NOT DISTINCT FROM c.client_id
                 AND later.seq > c.seq) AS is_last
       FROM limit_changes c WHERE c.id = ${changeId} AND c.principal_id = ${principalId}`,
  )
  return row === undefined ? null : { change: toChange(row), isLast: row.is_last }
}

/** Returns the changes of these limits, newest first. Saving equal limits is no change. */
export async function listLimitChanges(
  db: Queryable,
  { principalId, clientId }: LimitsOwner,
  limit: number,
): Promise<LimitChange[]> {
  const rows = await db.query<ChangeRow>(
    sql`SELECT ${columns} FROM limit_changes c
      WHERE c.principal_id = ${principalId} AND c.client_id IS NOT DISTINCT FROM ${clientId}
        AND (c.kind <> 'save' OR c.before IS DISTINCT FROM c.after)
      ORDER BY c.seq DESC LIMIT ${limit}`,
  )
  return rows.map(toChange)
}
