import { ServiceError } from '../../base/core/errors'
import type { Randomness } from '../../base/core/platform'

/** Places of the list, one bit each. */
export const STATUS_LIST_SIZE = 2 ** 22
/** How many places are drawn so that one of them is free even when the list is nearly full. */
const CANDIDATES = 16

/** Random places of the status list. The issuing statement takes the first that is free. */
export function drawStatusIndexes(random: Randomness): number[] {
  const bytes = random.bytes(4 * CANDIDATES)
  return Array.from({ length: CANDIDATES }, (_, place) => bytes.readUInt32BE(4 * place) % STATUS_LIST_SIZE)
}

/** Places are counted and given back every minute. */
const RETRY_AFTER_SECONDS = 60

/** 503: a mandate needs a place in the status list, and none is free. */
export function buildListFullError(): ServiceError {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  return new ServiceError('service_unavailable', 'No more mandates can be issued for now.', { headers })
}
