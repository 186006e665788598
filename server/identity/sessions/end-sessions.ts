import type { ActorSession } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { handleSql } from './store'

type Method = ActorSession['method']

interface EndedSessions {
  /** The handle of one more session to end, however old it is; null for none. */
  readonly handle: string | null
  /** Sessions that were opened at this instant or later end. */
  readonly since: Date
  readonly methods: readonly Method[]
  /** The session that undoes the change, which stays open. */
  readonly spared?: string | undefined
  readonly now: Date
}

/** Ends the session of the handle and the later ones of these methods, when a change is undone. */
export async function endSessionsSince(
  tx: Queryable,
  principalId: string,
  { handle, since, methods, spared, now }: EndedSessions,
): Promise<void> {
  await tx.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now}, ended_by = 'security'
      WHERE principal_id = ${principalId} AND revoked_at IS NULL AND id IS DISTINCT FROM ${spared ?? null}
        AND ((created_at >= ${since} AND method = ANY (${methods}::text[]))
             OR ${handleSql(sql`id`)} = ${handle})`,
  )
}

/** Ends the sessions that mailed links have opened, except the one of the handle: a reader of that mailbox has them. */
export async function endMailboxSessions(
  tx: Queryable,
  principalId: string,
  { spared, now }: { readonly spared: string | null; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now}, ended_by = 'security'
      WHERE principal_id = ${principalId} AND revoked_at IS NULL AND method = 'magic_link'
        AND ${handleSql(sql`id`)} IS DISTINCT FROM ${spared}`,
  )
}

/** Ends the person's unused sign-in links, which went to an address that is no longer theirs. */
export async function endSignInRequests(tx: Queryable, principalId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE sign_in_requests SET consumed_at = ${now} WHERE principal_id = ${principalId} AND consumed_at IS NULL`,
  )
}

/** Returns when the session of this handle was opened; null when it no longer exists. */
export async function findSessionStart(
  db: Queryable,
  principalId: string,
  handle: string | null,
): Promise<Date | null> {
  const [row] = await db.query<Row<'PortalSession', 'created_at'>>(
    sql`SELECT created_at FROM portal_sessions WHERE principal_id = ${principalId} AND ${handleSql(sql`id`)} = ${handle}`,
  )
  return row?.created_at ?? null
}
