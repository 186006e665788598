import type { WalletCall } from '../../../base/core/call'
import { keepSetupLeft } from '../../../shared/principals'

/** Records that the person left the set-up, so that signing in no longer leads to it. Safe to repeat. */
export async function leaveWelcome({ platform, actor, now }: WalletCall): Promise<{ readonly left: true }> {
  await keepSetupLeft(platform.db, actor.principalId, now)
  return { left: true }
}
