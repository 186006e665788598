import type { WalletActor } from './call'
import { ServiceError } from './errors'

/** Throws 403 forbidden when an agent decides its own request, even with a token for wallet access. */
export function requireNotRequester(actor: WalletActor, agentClientId: string): void {
  if (actor.via !== 'token' || actor.token.agentClientId !== agentClientId) return
  throw new ServiceError('forbidden', 'An agent cannot decide a request of its own.')
}
