import type { Randomness } from '../../base/core/platform'

const BASE_SECONDS = 5
/** The longest pause between two attempts. */
export const PAUSE_MAX_SECONDS = 3_600
const WORD = 2 ** 32

/**
 * Returns the seconds until a job that has failed `attempts` times is tried again: twice as long each time, an hour at
 * most, and random within the upper half of that, so that jobs that failed together are not tried together.
 */
export function backOffSeconds(attempts: number, random: Pick<Randomness, 'bytes'>): number {
  const longest = Math.min(BASE_SECONDS * 2 ** (attempts - 1), PAUSE_MAX_SECONDS)
  const share = random.bytes(4).readUInt32BE() / WORD
  return longest * (0.5 + share / 2)
}
