import type { WalletActor } from './call'
import { ServiceError } from './errors'

/** 403 forbidden for an agent that would decide a request of its own, whatever its token may do for the person otherwise. */
export function requireOthersRequest(actor: WalletActor, agentClientId: string): void {
  if (actor.via !== 'token' || actor.token.agentClientId !== agentClientId) return
  throw new ServiceError('forbidden', 'An agent cannot decide a request of its own.')
}
