import type { Platform } from '@/server/base/core/platform'
import type { Evidence } from './evidence'
import {
  booksAgree,
  type Check,
  chargedAsMandated,
  chargedOnce,
  countersAgree,
  dailyCap,
  decided,
  frozenLimits,
  grantsOnce,
  mandateOnce,
  rightAccount,
  sameAnswers,
  singleCap,
  switchedOff,
  velocity,
  wholeMoney,
} from './money-checks'
import {
  brokenChains,
  disputesFollow,
  effectsOnce,
  entriesAgree,
  nothingLost,
  nothingSubmittedAfter,
  oneRequestPerKey,
  refusalsLeaveNothing,
  revokedAtOnce,
  sameTokens,
  toldOnce,
} from './record-checks'

/** Every check by the invariant that it stands for. */
export const checks: Readonly<Record<string, Check>> = {
  'M1 daily cap': dailyCap,
  'M2 cap for one payment': singleCap,
  'M3 velocity': velocity,
  'M4 limits hold once saved': frozenLimits,
  'M5 same answer for ever': sameAnswers,
  'M6 charged once': chargedOnce,
  'M7 mandate settled once': mandateOnce,
  'M8 charged as mandated': chargedAsMandated,
  'M9 decided, and truly': decided,
  'M10 both books agree': booksAgree,
  'M11 fee and account': rightAccount,
  'M12 whole money': wholeMoney,
  'M13 disputes': disputesFollow,
  'M14 grants once': grantsOnce,
  'M15 switch': switchedOff,
  'counters agree': countersAgree,
  'I1 effects once': effectsOnce,
  'I3 one request per key': oneRequestPerKey,
  'I4 one set of tokens': sameTokens,
  'I5 nothing acknowledged is lost': nothingLost,
  'I6 refusals leave nothing': refusalsLeaveNothing,
  'I7 told once': toldOnce,
  'R1 revoked at once': revokedAtOnce,
  'R2 nothing submitted after': nothingSubmittedAfter,
  'A3 entries agree': entriesAgree,
}

/** Judges the books of both sides; what is found, by invariant. */
export async function judge(evidence: Evidence, platform: Platform): Promise<string[]> {
  const found = Object.entries(checks).flatMap(([name, check]) => check(evidence).map((text) => `${name}: ${text}`))
  const broken = await brokenChains(platform)
  return [...found, ...broken.map((text) => `A1, A2 chains: ${text}`)]
}
