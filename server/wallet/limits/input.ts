/** What forms share with the contract: plain rules without a library, since browsers load them. */
export { compareLimits, type LimitDifference } from './raise'
export { DEFAULT_TIME_ZONE } from './rules'
export { limitsFromWire, NO_WIRE_LIMITS, type RecordedLimits, type WireLimits } from './wire-limits'

export const VELOCITY_COUNT_MAX = 1_000_000
