import { ServiceError } from './errors'
import { ProcessorRefused, ProcessorUnreachable } from './processor'

/**
 * Sends a request to the card processor. Throws 502 bad_gateway when it refuses and, with `Retry-After`, when it cannot
 * be reached.
 */
export async function askProcessor<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof ProcessorRefused) {
      throw new ServiceError('bad_gateway', 'The card processor refused the request.', { cause })
    }
    if (!(cause instanceof ProcessorUnreachable)) throw cause
    throw new ServiceError('bad_gateway', 'The card processor cannot be reached.', {
      cause,
      headers: { 'retry-after': '5' },
    })
  }
}
