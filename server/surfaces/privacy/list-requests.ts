import type { WalletCall } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import { deliveryKeyOf } from '../../shared/notifications'
import { findDeadKeys } from '../../shared/queue'
import type { PrivacyRequestView } from './contract'
import { mailDataKey } from './mail-data-job'
import { listRequests, type RequestRow } from './store'

/** Returns the person's privacy requests, newest first. */
export function listPrivacyRequests({ platform, actor }: WalletCall): Promise<PrivacyRequestView[]> {
  return listStoredRequests(platform.db, actor.principalId)
}

/**
 * Returns the requests of {@link listPrivacyRequests} for a person without a session. A request has failed when its
 * mail was given up, before it was written or in delivery, until an operator retries it.
 */
export async function listStoredRequests(db: Queryable, principalId: string): Promise<PrivacyRequestView[]> {
  const rows = await listRequests(db, principalId)
  const dead = new Set(await findDeadKeys(db, rows.map(jobKeyOf)))
  return rows.map((row) => renderRequest(row, dead.has(jobKeyOf(row))))
}

/**
 * Returns the key of the request's job: one job writes the mail of an answer, another delivers it under the request's
 * id.
 */
const jobKeyOf = ({ id, result }: RequestRow): string => (result === 'queued' ? mailDataKey(id) : deliveryKeyOf(id))

const renderRequest = (row: RequestRow, isDead: boolean): PrivacyRequestView => ({
  request_id: row.id,
  kind: row.kind,
  requested_at: row.requested_at.toISOString(),
  completed_at: isDead ? null : (row.completed_at?.toISOString() ?? null),
  result: isDead ? 'failed' : row.result,
})
