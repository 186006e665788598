export type { Refusal } from './contract'
export { statusAt } from './enrolment-status'
export {
  claimDueEnrolments,
  deleteEnrolment,
  type EnrolmentRole,
  type EnrolmentRow,
  ensureEnrolment,
  findAgentOperator,
  listEnrolledIds,
  noteUnreachable,
  readEnrolments,
  recheck,
  refuseAll,
  refuseBelow,
  refuseEntity,
  saveRefusal,
  saveVerification,
  type Verification,
} from './store'
