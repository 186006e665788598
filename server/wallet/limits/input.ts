/** The rules that browser forms share with the contract; they use no library, to keep the pages small. */
export { capsByCurrency, isCapped, limitsIn, othersBeside, withCaps } from './currencies'
export { compareLimits, hasWindows, isRaise, type LimitDifference } from './raise'
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
/** The window of a count of payments when none is given: an hour. */
export const VELOCITY_WINDOW_DEFAULT_SECONDS = 3_600
