import type { WalletCall } from '../../base/core/call'
import type { PrivacyRequestView } from './contract'
import { listRequests, type RequestRow } from './store'

/** What the person asked for by their rights, newest first. */
export async function listPrivacyRequests({ platform, actor }: WalletCall): Promise<PrivacyRequestView[]> {
  return (await listRequests(platform.db, actor.principalId)).map(presentRequest)
}

export const presentRequest = (row: RequestRow): PrivacyRequestView => ({
  request_id: row.id,
  kind: row.kind,
  requested_at: row.requested_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  result: row.result,
})
