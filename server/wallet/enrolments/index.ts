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
  lockEnrolment,
  moveToSlow,
  noteUnreachable,
  readEnrolments,
  recheck,
  saveRefusal,
  saveVerification,
  takeFromSlow,
  updateAllRefused,
  updateRefused,
  updateRefusedBelow,
  type Verification,
} from './store'
