import type { Clock } from '../core/platform'

/** The system's clock, less what it is ahead of the clock that counts. */
export const createClock = (aheadMilliseconds: number): Clock => ({
  now: () => new Date(Date.now() - aheadMilliseconds),
})

export const systemClock = createClock(0)
