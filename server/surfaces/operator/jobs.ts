import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { recordOperatorAct } from '../../shared/audit'
import { countJobs, nudgeJobs, readDeadJobs, retryDeadJob } from '../../shared/queue'
import type { listJobsEndpoint, retryJobEndpoint } from './jobs-contract'

const DEAD_MAX = 100

/** GET /operator/jobs: the numbers of jobs, and those that were given up. */
export async function listJobs({ platform }: OperatorCall): Promise<OutputOf<typeof listJobsEndpoint>> {
  const counts = await countJobs(platform.db)
  const dead = await readDeadJobs(platform.db, DEAD_MAX)
  return { counts, dead: dead.map((job) => ({ ...job, created_at: job.created_at.toISOString() })) }
}

type RetryJob = typeof retryJobEndpoint

/** POST /operator/jobs/{id}/retry: restarts the job with all its attempts. */
export async function retryJob(call: OperatorCall, { id }: InputOf<RetryJob>): Promise<OutputOf<RetryJob>> {
  const { platform, requestId, now } = call
  const job = await platform.db.transaction(async (tx) => {
    const retried = await retryDeadJob(tx, { id, now })
    if (retried !== null) {
      await recordOperatorAct(tx, call, { what: 'retryJob', from: 'dead', to: 'queued', subjectId: id })
    }
    return retried
  })
  if (job === null) throw new ServiceError('not_found', 'No failed job has this id.')
  platform.log.info('job retried', { requestId, jobId: job.id, kind: job.kind })
  nudgeJobs(platform)
  return { ...job, state: 'queued' }
}
