import type { Randomness } from '../../base/core/platform'
import { STATUS_LIST_SIZE } from './read-status-list'

/** How many places are drawn so that one of them is free even when the list is nearly full. */
const CANDIDATES = 16

/** Random places of the status list. The issuing statement takes the first that was never used. */
export function drawStatusIndexes(random: Randomness): number[] {
  const bytes = random.bytes(4 * CANDIDATES)
  return Array.from({ length: CANDIDATES }, (_, place) => bytes.readUInt32BE(4 * place) % STATUS_LIST_SIZE)
}
