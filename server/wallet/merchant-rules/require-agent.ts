import { ServiceError } from '../../base/core/errors'

/** Another tenant's agent, a wallet client and an unknown one look alike. */
export function requireAgent(isKnown: boolean): void {
  if (!isKnown) throw new ServiceError('not_found', 'There is no such agent.')
}
