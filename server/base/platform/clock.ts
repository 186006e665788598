import type { Clock } from '../core/platform'

/** The system's clock. */
export const systemClock: Clock = { now: () => new Date() }
