export type { Refusal } from './contract'
export { statusAt } from './enrolment-status'
export {
  claimDueEnrolment,
  deleteEnrolment,
  type EnrolmentRole,
  type EnrolmentRow,
  ensureEnrolment,
  findAgentOperator,
  listEnrolledIds,
  moveToSlow,
  noteUnreachable,
  readEnrolments,
  recheck,
  refuseAll,
  refuseBelow,
  refuseEntity,
  saveRefusal,
  saveVerification,
  takeFromSlow,
  type Verification,
} from './store'
