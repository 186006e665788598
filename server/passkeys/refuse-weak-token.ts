import type { WalletCall } from '../core/call'
import { stepUpRequired } from './step-up-way'
import { readStanding } from './store'

/**
 * Refuses what a wallet token asks when the person wants a passkey for such things: 403 step_up_required. Does nothing
 * in the portal, where `proveStepUp` decides.
 */
export async function refuseWeakToken({ actor, platform }: WalletCall): Promise<void> {
  if (actor.via !== 'token') return
  const { required } = await readStanding(platform.db, actor.principalId)
  if (required) throw stepUpRequired('passkey')
}
