import { invariant } from '../../../base/core/invariant'
import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'

/** Returns an agent's registered name, its given name, and its shown name with the tail of its key. */
export async function findNameParts(db: Queryable, clientId: string): Promise<NameParts> {
  const [row] = await db.query<NameParts>(sql`SELECT name, given_name, full_name FROM agents WHERE id = ${clientId}`)
  invariant(row !== undefined, 'an agent that was read has a row')
  return row
}

type NameParts = Row<'Client', 'name' | 'given_name'> & { readonly full_name: string }

/** Returns how many sessions a revocation of the agent would end. */
export async function countActiveFamilies(
  db: Queryable,
  principalId: string,
  { clientId, now }: { readonly clientId: string; readonly now: Date },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM active_token_families
      WHERE principal_id = ${principalId} AND client_id = ${clientId} AND expires_at > ${now}`,
  )
  return row?.count ?? 0
}
