import type { WalletCall } from '../../../base/core/call'
import { listLimitChanges, type readSavedLimits } from '../../../wallet/limits'

/**
 * Whether the person chose their limits: not while these are the ones that everybody starts with, until the person saves
 * them, be it unchanged.
 */
export async function choseLimits(
  { platform, actor }: WalletCall,
  limits: Awaited<ReturnType<typeof readSavedLimits>>,
): Promise<boolean> {
  if (limits === null) return false
  const [last] = await listLimitChanges(platform.db, { principalId: actor.principalId, clientId: null }, 1)
  return last?.kind !== 'start' || last.createdAt.toISOString() !== limits.updated_at
}
