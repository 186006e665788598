import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { type Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { requirePrincipal } from '../../shared/principals'
import { deleteJobs } from '../../shared/queue'
import { linkJobKey, openAddress } from './mail-sign-in-link'
import { deleteSignInRequest, lockUnmailedRequests } from './sign-in-request-store'

interface Erasure {
  readonly principalId: string
  readonly call: Pick<Call, 'platform'>
}

/** Deletes the person's portal sessions, and their sign-in requests with the jobs that mail the links. */
export async function eraseSessions(tx: Transaction, { principalId, call }: Erasure): Promise<void> {
  await tx.query(sql`DELETE FROM portal_sessions WHERE principal_id = ${principalId}`)
  const mailed = await tx.query<Row<'SignInRequest', 'id'>>(
    sql`DELETE FROM sign_in_requests WHERE principal_id = ${principalId} RETURNING id`,
  )
  const unmailed = await deleteUnmailed(tx, { principalId, call })
  await deleteJobs(tx, [...mailed.map(({ id }) => id), ...unmailed].map(linkJobKey))
}

/**
 * Deletes the person's sign-in requests whose links are not mailed yet. These hold only the sealed address, so it is
 * compared with the person's. Returns their ids.
 */
async function deleteUnmailed(tx: Transaction, { principalId, call }: Erasure): Promise<readonly string[]> {
  const email = (await requirePrincipal(tx, principalId)).email?.toLowerCase()
  const requests = email === undefined ? [] : await lockUnmailedRequests(tx)
  const { sealer } = call.platform
  const theirs = requests.filter((one) => openAddress(sealer, one.id, one.sealed_email).toLowerCase() === email)
  for (const { id } of theirs) await deleteSignInRequest(tx, id)
  return theirs.map(({ id }) => id)
}
