import type { ActorSession } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

type Method = ActorSession['method']

interface EndedSessions {
  /** One more session that ends, by its hash, however old it is. */
  readonly handle: string | null
  /** Of those that were opened at this instant or later. */
  readonly since: Date
  readonly methods: readonly Method[]
  readonly now: Date
}

/** Ends the sessions that a change is undone with: the one that made it, and those that it may have opened. */
export async function endSessionsSince(
  tx: Queryable,
  principalId: string,
  { handle, since, methods, now }: EndedSessions,
): Promise<void> {
  await tx.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now}, ended_by = 'security'
      WHERE principal_id = ${principalId} AND revoked_at IS NULL
        AND ((created_at >= ${since} AND method = ANY (${methods}::text[]))
             OR encode(sha256(convert_to(id, 'UTF8')), 'hex') = ${handle})`,
  )
}

/** Ends the person's unused sign-in links, which went to an address that is no longer theirs. */
export async function endSignInRequests(tx: Queryable, principalId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE sign_in_requests SET consumed_at = ${now} WHERE principal_id = ${principalId} AND consumed_at IS NULL`,
  )
}
