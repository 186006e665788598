import type { ActorSession, WalletCall } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { parseDeviceLabel } from './device-label'
import type { SessionRecord } from './manage-sessions'
import { handleSql, isActiveSql } from './store'

/** The sign-in after which a page of the list starts, by its instant and handle. */
export interface SignInPosition {
  readonly at: Date
  readonly handle: string
}

export interface SignIn extends Pick<SessionRecord, 'device' | 'method' | 'this_one'> {
  /** The handle of the session, as in the list of sessions. */
  readonly handle: string
  readonly at: Date
  /** Whether no earlier sign-in that is still stored was by this method from such a device. */
  readonly is_new: boolean
  /** Whether the session is still active. */
  readonly is_alive: boolean
}

type SignInRow = Row<'PortalSession', 'id' | 'device' | 'created_at'> & {
  readonly method: ActorSession['method']
  readonly handle: string
  readonly is_new: boolean
  readonly is_alive: boolean
}

interface SignInPage {
  readonly after: SignInPosition | null
  readonly limit: number
}

/** Returns the person's sign-ins of the last thirty days, newest first, of active and ended sessions. */
export async function listSignIns(call: WalletCall, page: SignInPage): Promise<SignIn[]> {
  const { platform, actor, now } = call
  const rows = await readSignIns(platform.db, { principalId: actor.principalId, now }, page)
  return rows.map((row) => ({
    handle: row.handle,
    at: row.created_at,
    device: parseDeviceLabel(row.device),
    method: row.method,
    is_new: row.is_new,
    is_alive: row.is_alive,
    this_one: row.id === actor.session?.id,
  }))
}

function readSignIns(
  db: Queryable,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
  { after, limit }: SignInPage,
): Promise<SignInRow[]> {
  return db.query<SignInRow>(
    sql`SELECT s.id, s.device, s.created_at, s.method, h.handle, ${isActiveSql(now)} AS is_alive,
            NOT EXISTS (SELECT 1 FROM portal_sessions e
                         WHERE e.principal_id = s.principal_id AND e.created_at < s.created_at
                           AND e.method = s.method AND e.device IS NOT DISTINCT FROM s.device) AS is_new
       FROM portal_sessions s CROSS JOIN LATERAL (SELECT ${handleSql(sql`s.id`)} AS handle) h
      WHERE s.principal_id = ${principalId}
        AND (${after?.at ?? null}::timestamptz IS NULL
             OR (s.created_at, h.handle) < (${after?.at ?? null}::timestamptz, ${after?.handle ?? null}::text))
      ORDER BY s.created_at DESC, h.handle DESC LIMIT ${limit}::int`,
  )
}

/** SQL expression: the time of the person's newest sign-in; part of the portal's revision. */
export const signInsRevisionSql = (principalId: string): Sql =>
  sql`(SELECT created_at FROM portal_sessions WHERE principal_id = ${principalId} ORDER BY created_at DESC LIMIT 1)`
