import { operation } from '../contract/endpoint'
import {
  approveLimitBumpEndpoint,
  declineLimitBumpEndpoint,
  listLimitBumpsEndpoint,
  readLimitsEndpoint,
  receiveRcsCallbackEndpoint,
  saveLimitsEndpoint,
} from './contract'
import {
  approveLimitBump as approveLimitBumpVerb,
  declineLimitBump as declineLimitBumpVerb,
  listLimitBumps as listLimitBumpsVerb,
} from './decide-bump'
import { readLimits as readLimitsVerb } from './read-limits'
import { receiveRcsCallback as receiveRcsCallbackVerb } from './receive-rcs-callback'
import { saveLimits as saveLimitsVerb } from './save-limits'

export type { LimitBump } from './bump-store'
export { checkLimits } from './check-limits'
export { approveBump, type BumpChoice, declineBump } from './decide-bump'
export { issueBumpToken } from './issue-bump-token'
export { type DailyUse, dueNotice, type NearLimitPercent, nearLimitKey } from './near-limit'
export { askOnce, type BumpAsk, openBump } from './open-bump'
export {
  type Exceeded,
  type ExceededLimit,
  excessOf,
  type Grant,
  type Judged,
  type Judgement,
  judge,
  type LimitKind,
  type Limits,
  type PaymentAsk,
  type Usage,
} from './rules'
export {
  type JudgedRow,
  judgedSql,
  type LimitsSubject,
  lockPrincipal,
  readDailyUse,
  readJudged,
  toJudged,
  utcDay,
} from './store'

/** GET /wallet/limits. */
export const readLimits = operation(readLimitsEndpoint, readLimitsVerb)
/** POST /wallet/limits. 422 for negative or unsafe numbers, a cap without currency, a count without window. */
export const saveLimits = operation(saveLimitsEndpoint, saveLimitsVerb)
/** GET /wallet/limit-bumps: those that wait, newest first. */
export const listLimitBumps = operation(listLimitBumpsEndpoint, listLimitBumpsVerb)
/** POST /wallet/limit-bumps/{bump_id}/approve. 404 unknown, foreign or expired; 409 when declined before. */
export const approveLimitBump = operation(approveLimitBumpEndpoint, approveLimitBumpVerb)
/** POST /wallet/limit-bumps/{bump_id}/decline. 404 unknown, foreign or expired; 409 when approved before. */
export const declineLimitBump = operation(declineLimitBumpEndpoint, declineLimitBumpVerb)
/** POST /oauth/rcs/limit-bump/callback. 404 for a token that is unknown, used or another bump's; 409 for the opposite decision. */
export const receiveRcsCallback = operation(receiveRcsCallbackEndpoint, receiveRcsCallbackVerb)
