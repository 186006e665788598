import type { Transaction } from '../../base/core/platform'
import { type Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { deleteJobs } from '../../shared/queue'
import { linkJobKey } from './mail-sign-in-link'

/** Deletes the person's portal sessions, and their sign-in requests with the jobs that mail the links. */
export async function eraseSessions(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM portal_sessions WHERE principal_id = ${principalId}`)
  const requests = await tx.query<Row<'SignInRequest', 'id'>>(
    sql`DELETE FROM sign_in_requests WHERE principal_id = ${principalId} RETURNING id`,
  )
  await deleteJobs(
    tx,
    requests.map(({ id }) => linkJobKey(id)),
  )
}
