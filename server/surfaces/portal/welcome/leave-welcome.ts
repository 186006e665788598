import type { WalletCall } from '../../../base/core/call'
import { keepSetupLeft } from '../../../shared/principals'

/** Keeps that the person left the set-up: signing in does not lead there again. Safe to repeat. */
export async function leaveWelcome({ platform, actor, now }: WalletCall): Promise<{ readonly left: true }> {
  await keepSetupLeft(platform.db, actor.principalId, now)
  return { left: true }
}
