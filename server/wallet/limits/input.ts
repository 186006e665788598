/** What forms share with the contract: plain rules without a library, since browsers load them. */
export { capsByCurrency, isCapped, limitsIn, othersBeside, withCaps } from './currencies'
export { compareLimits, isRaise, type LimitDifference } from './raise'
export { DEFAULT_TIME_ZONE } from './rules'
export {
  capsFromWire,
  limitsFromWire,
  limitsToWire,
  NO_WIRE_LIMITS,
  othersToWire,
  type RecordedLimits,
  type WireCaps,
  type WireLimits,
} from './wire-limits'

export const VELOCITY_COUNT_MAX = 1_000_000
/** An hour: what a number of payments counts in when nobody says otherwise. */
export const VELOCITY_WINDOW_DEFAULT_SECONDS = 3_600
