import type { Clock } from '../core/platform'

/** Returns the system's clock, set back by the milliseconds that it is ahead of the database's. */
export const createClock = (aheadMilliseconds: number): Clock => ({
  now: () => new Date(Date.now() - aheadMilliseconds),
})

export const systemClock = createClock(0)
