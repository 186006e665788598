import { operation } from '../../base/contract/endpoint'
import { readAgentLimits as readAgentLimitsVerb } from './agent-limits'
import {
  approveLimitBumpEndpoint,
  declineLimitBumpEndpoint,
  listLimitBumpsEndpoint,
  readAgentLimitsEndpoint,
  readLimitsEndpoint,
  receiveRcsCallbackEndpoint,
  saveAgentLimitsEndpoint,
  saveLimitsEndpoint,
} from './contract'
import {
  approveLimitBump as approveLimitBumpVerb,
  declineLimitBump as declineLimitBumpVerb,
  listLimitBumps as listLimitBumpsVerb,
} from './decide-bump'
import { readLimits as readLimitsVerb } from './read-limits'
import { receiveRcsCallback as receiveRcsCallbackVerb } from './receive-rcs-callback'
import { saveAgentLimits as saveAgentLimitsVerb, saveLimits as saveLimitsVerb } from './save-limits'

export {
  decideBumpOfConsent,
  declinePendingBumps,
  exceedsSql,
  hasUsedGrantSql,
  type LimitBump,
  withdrawBumpsSql,
  withdrawPendingBumps,
} from './bump-store'
export { type LimitChange, type LimitsOwner, listLimitChanges } from './change-store'
export { listUsedCurrencies } from './currencies-store'
export { describeExceeds } from './describe-exceeds'
export { eraseLimits } from './erase-limits'
export { issueBumpToken } from './issue-bump-token'
export { type LimitStateRow, limitStateSql, readAllowances, readLimitState } from './limit-state-store'
export { listNearCaps, type NearCap } from './near-caps-store'
export { dueNotice, type NearLimitPercent, nearLimitKey } from './near-limit'
export { bumpEnd, openBumpOfConsent, openBumpOfSettlement } from './open-bump'
export { readSavedLimits } from './read-limits'
export {
  type Allowance,
  describeMismatch,
  type Exceeded,
  type Exceeds,
  evaluateLimits,
  type Grant,
  type LimitEvaluation,
  type LimitedPayment,
  type LimitKind,
  type LimitScope,
  type LimitState,
  type Limits,
  UNLIMITED,
  type Usage,
} from './rules'
export { removeCurrency, saveCurrency } from './save-currency'
export { parseLimits } from './save-limits'
export {
  boundsSql,
  fittingSql,
  holdAgentSpendSql,
  holdSpendSql,
  releaseAgentSpendSql,
  releaseSpendSql,
  returnGrantSql,
  takeGrantSql,
} from './spend-store'
export { startAgentLimits } from './start-agent-limits'
export { startLimits } from './start-limits'
export { describeStop, findStop, requireNoStop, type Stop, stopSql } from './stop'
export { findTurningClock, insertFirstLimits, listMonthlyCaps } from './store'
export { readStoredLimits } from './stored-data'
export { undoLowering } from './undo-lowering'
export { type DaySpendRow, limitsRevisionSql, listSpendOfDay, readLimitsUse, readWindowUse } from './usage-store'
export { utcDay } from './utc-day'
export { countingWindows, type Windows, windowsAt } from './windows'

/** GET /wallet/limits. */
export const readLimits = operation(readLimitsEndpoint, readLimitsVerb)
/** POST /wallet/limits. 422 for negative or unsafe numbers. */
export const saveLimits = operation(saveLimitsEndpoint, saveLimitsVerb)
/** GET /wallet/agents/{client_id}/limits. 404 unknown or another person's. */
export const readAgentLimits = operation(readAgentLimitsEndpoint, readAgentLimitsVerb)
/** POST /wallet/agents/{client_id}/limits. 404 unknown or another person's; 422 as for the person's own. */
export const saveAgentLimits = operation(saveAgentLimitsEndpoint, saveAgentLimitsVerb)
/** GET /wallet/limit-bumps: those that wait, newest first. */
export const listLimitBumps = operation(listLimitBumpsEndpoint, listLimitBumpsVerb)
/** POST /wallet/limit-bumps/{bump_id}/approve. 404 unknown, foreign or expired; 409 when declined before, or when a pending approval has it. */
export const approveLimitBump = operation(approveLimitBumpEndpoint, approveLimitBumpVerb)
/** POST /wallet/limit-bumps/{bump_id}/decline. 404 unknown, foreign or expired; 409 when approved before, or when a pending approval has it. */
export const declineLimitBump = operation(declineLimitBumpEndpoint, declineLimitBumpVerb)
/** POST /oauth/rcs/limit-bump/callback. 404 for a token that is unknown, used or another bump's; 409 for the opposite decision; 403 for an approval from a new phone. */
export const receiveRcsCallback = operation(receiveRcsCallbackEndpoint, receiveRcsCallbackVerb)
