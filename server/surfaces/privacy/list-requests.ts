import type { WalletCall } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import { findDeadKeys } from '../../shared/queue'
import type { PrivacyRequestView } from './contract'
import { mailDataKey } from './mail-data-job'
import { listRequests, type RequestRow } from './store'

/** What the person asked for by their rights, newest first. */
export function listPrivacyRequests({ platform, actor }: WalletCall): Promise<PrivacyRequestView[]> {
  return listStoredRequests(platform.db, actor.principalId)
}

/** The same for a person without a session. A request whose job was given up has failed, until an operator has it tried again. */
export async function listStoredRequests(db: Queryable, principalId: string): Promise<PrivacyRequestView[]> {
  const rows = await listRequests(db, principalId)
  const queued = rows.filter(({ result }) => result === 'queued').map(({ id }) => mailDataKey(id))
  const dead = new Set(await findDeadKeys(db, queued))
  return rows.map((row) => presentRequest(row, dead.has(mailDataKey(row.id))))
}

const presentRequest = (row: RequestRow, isDead: boolean): PrivacyRequestView => ({
  request_id: row.id,
  kind: row.kind,
  requested_at: row.requested_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  result: isDead ? 'failed' : row.result,
})
