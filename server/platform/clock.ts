import type { Clock } from '@/server/core/platform'

/** The system's clock. */
export const systemClock: Clock = { now: () => new Date() }
