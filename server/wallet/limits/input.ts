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
