import type { Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/**
 * Revokes the person's agents, removes their metadata and deletes setup tokens. The person's lock prevents new agents,
 * and the locks on the agents wait for tokens that are being issued. Returns the agents that this revoked.
 */
export async function eraseAgents(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<readonly string[]> {
  const active = await tx.query<Row<'Client', 'id'>>(
    sql`SELECT id FROM clients WHERE principal_id = ${principalId} AND kind = 'agent' ORDER BY id FOR UPDATE`,
  )
  const revoked = await tx.query<Row<'Client', 'id'>>(
    sql`UPDATE clients SET revoked_at = ${now} WHERE id = ANY (${active.map(({ id }) => id)}::text[]) AND revoked_at IS NULL RETURNING id`,
  )
  await tx.query(
    sql`UPDATE clients SET name = '', given_name = NULL, key_tail = NULL, purpose = NULL, redirect_uris = '[]', jwks = '[]', metadata = '{}', registration_token_hash = NULL
      WHERE principal_id = ${principalId} AND kind = 'agent'`,
  )
  await tx.query(sql`DELETE FROM setup_tokens WHERE principal_id = ${principalId}`)
  return revoked.map(({ id }) => id).toSorted()
}
