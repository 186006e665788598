import type { WalletCall } from '../../base/core/call'
import { stepUpRequired } from './step-up-required'
import { getPasskeyStatus } from './store'

/**
 * Requires that a wallet token is enough for an action: 403 step_up_required when the person has set that such actions
 * need a passkey. Does nothing in the portal, where `proveStepUp` decides.
 */
export async function requireTokenSuffices({ actor, platform }: WalletCall): Promise<void> {
  if (actor.via !== 'token') return
  const { required } = await getPasskeyStatus(platform.db, actor.principalId)
  if (required) throw stepUpRequired('passkey')
}
