export { enqueueJob, type NewJob } from './enqueue-job'
export { nameOfError } from './error-name'
export { JOBS_TOPIC, nudgeJobs } from './nudge-jobs'
export { type JobHandler, type JobHandlers, runDueJobs } from './run-due-jobs'
export {
  countJobs,
  countWaitingJobs,
  deleteJobs,
  findDeadKeys,
  insertJobsSql,
  moveJobs,
  readDeadJobs,
  retryDeadJob,
  sweepDoneJobs,
} from './store'
export { takeBackJobs } from './take-back-jobs'
