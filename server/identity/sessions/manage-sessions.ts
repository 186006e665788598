import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { parseDeviceLabel } from './device-label'
import { listActiveSessions, revokeOtherSessions, revokeSessionByHandle } from './store'

export interface SessionRecord {
  /** The handle of the session, which does not open it. */
  readonly id: string
  /** The kind of device, such as Chrome on Linux; null when it is unknown. */
  readonly device: { readonly browser: string; readonly system: string } | null
  readonly method: 'magic_link' | 'passkey' | 'demo'
  readonly created_at: string
  readonly last_used_at: string
  readonly this_one: boolean
}

/** Returns the person's active sessions: the caller's own first, then the last used. */
export async function listSessions({ platform, actor, now }: WalletCall): Promise<readonly SessionRecord[]> {
  const rows = await listActiveSessions(platform.db, actor.principalId, now)
  const records = rows.map((row) => ({
    id: row.handle,
    device: parseDeviceLabel(row.device),
    method: row.method,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_seen_at.toISOString(),
    this_one: row.id === actor.session?.id,
  }))
  return records.toSorted((one, other) => Number(other.this_one) - Number(one.this_one))
}

/** Ends one session. 404 for an unknown or ended session and for another person's. */
export async function endSession(
  { platform, actor, now }: WalletCall,
  { id }: { readonly id: string },
): Promise<{ readonly id: string }> {
  if (await revokeSessionByHandle(platform.db, id, { principalId: actor.principalId, by: 'window', now })) return { id }
  throw new ServiceError('not_found', 'There is no such session.')
}

/** Ends all sessions of the person but the caller's own. */
export async function endOtherSessions({
  platform,
  actor,
  now,
}: WalletCall): Promise<{ readonly sessions_ended: number }> {
  const currentId = actor.session?.id ?? null
  const ending = { currentId, by: 'everywhere', now } as const
  return { sessions_ended: await revokeOtherSessions(platform.db, actor.principalId, ending) }
}
