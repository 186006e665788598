import { setTimeout as delay } from 'node:timers/promises'
import { secondsSince } from '../../base/core/elapsed'
import { NotYet } from '../../base/core/not-yet'
import { PermanentFailure } from '../../base/core/permanent-failure'
import type { Platform } from '../../base/core/platform'
import { RetryLater } from '../../base/core/retry-later'
import { backOffSeconds, PAUSE_MAX_SECONDS } from './back-off'
import { nameOfError } from './error-name'
import { buryJob, type ClaimedJob, claimJobs, finishJob, postponeJob } from './store'

/**
 * Does one job. When it throws, the job is tried again later: after a RetryLater not before its time, after a NotYet
 * without counting the attempt, and after a PermanentFailure not at all.
 */
export type JobHandler = (platform: Platform, payload: unknown) => Promise<void>
/** A handler with a step for jobs that are given up; that step may run more than once. */
export interface JobHandlerWithEnd {
  readonly run: JobHandler
  readonly giveUp: JobHandler
}
/** The handlers by kind of job. Jobs of missing kinds are left to processes that know them. */
export type JobHandlers = Readonly<Record<string, JobHandler | JobHandlerWithEnd>>

/** The attempts before a job is given up; with the pauses between them they take from five to ten hours. */
export const ATTEMPTS_MAX = 20
/**
 * The lease of a job: longer than a job may take plus the difference between two clocks, so that no other process
 * starts it meanwhile.
 */
export const LEASE_SECONDS = 150
/** The longest lease that is believed: longer than a real one, with room for clocks that differ. */
const LEASE_MAX_SECONDS = 300
const JOB_TIMEOUT_MILLISECONDS = 20_000
const PARALLEL = 20
/** The pause of a job that waits for other work to end, such as a settlement. */
const WAIT_SECONDS = 300
const LOOK_AGAIN_MILLISECONDS = 1_000

interface RunOptions {
  /** Stops the run once the jobs in progress are done. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of one job; shorter than its lease. */
  readonly timeoutMilliseconds?: number
}

class JobTimeout extends Error {
  override readonly name = 'JobTimeout'
}

/** The last attempt of a job ended with its process. */
class AbandonedJob extends PermanentFailure {
  override readonly name = 'AbandonedJob'
}

/**
 * Runs the jobs that are due, up to twenty in parallel, until there are none. Several processes may run it: each job is
 * leased to one of them. Returns the number of jobs taken.
 */
export async function runDueJobs(platform: Platform, handlers: JobHandlers, options: RunOptions = {}): Promise<number> {
  const running = new Set<Promise<void>>()
  let taken = 0
  for (let isSearching = true; ; ) {
    const free = PARALLEL - running.size
    const jobs: readonly ClaimedJob[] =
      isSearching && options.signal?.aborted !== true ? await claim(platform, handlers, free) : []
    for (const job of jobs) {
      const work = runOne(platform, { job, handlers, options }).finally(() => running.delete(work))
      running.add(work)
    }
    taken += jobs.length
    if (running.size === 0) return taken
    // A slow job must not delay others, and a job that ends may have blocked the next one of its aggregate.
    isSearching = (await nextEvent(running)) === 'time' || jobs.length === free || running.size === 0
  }
}

async function claim({ db, clock }: Platform, handlers: JobHandlers, most: number): Promise<ClaimedJob[]> {
  if (most === 0) return []
  const now = clock.now()
  return claimJobs(db, {
    kinds: Object.keys(handlers),
    now,
    leaseUntil: secondsAfter(now, LEASE_SECONDS),
    latestLease: secondsAfter(now, LEASE_MAX_SECONDS),
    most,
  })
}

/** Waits until one of the jobs has ended, for a second at most. */
async function nextEvent(running: ReadonlySet<Promise<void>>): Promise<'time' | 'job'> {
  const ended = new AbortController()
  const time = delay(LOOK_AGAIN_MILLISECONDS, 'time' as const, { signal: ended.signal })
  try {
    return await Promise.race([time, ...[...running].map((work) => work.then(() => 'job' as const))])
  } finally {
    ended.abort()
  }
}

interface RunningJob {
  readonly job: ClaimedJob
  readonly handlers: JobHandlers
  readonly options: RunOptions
}

/** Runs one job in a trace of its own, and records the result. */
async function runOne(platform: Platform, running: RunningJob): Promise<void> {
  const { kind, attempts } = running.job
  const startedAt = performance.now()
  const start = { kind: 'consumer', name: `job ${kind}`, attributes: { 'countersign.attempts': attempts } } as const
  await platform.telemetry.traced(start, async (span) => {
    const outcome = await attempt(platform, running)
    if (outcome === 'failed' || outcome === 'dead' || outcome === null) span.fail()
    if (outcome === null) return
    span.set({ 'countersign.outcome': outcome })
    platform.telemetry.time('jobs', { kind, outcome }, secondsSince(startedAt))
  })
}

/** Returns null when the result could not be recorded: then the lease expires and the job is run again. */
async function attempt(platform: Platform, { job, handlers, options }: RunningJob): Promise<JobOutcome | null> {
  const handler = handlers[job.kind]
  const { run, giveUp } = typeof handler === 'function' ? { run: handler } : { ...handler }
  try {
    try {
      if (job.attempts > ATTEMPTS_MAX) throw new AbandonedJob()
      await withTimeout(options.timeoutMilliseconds ?? JOB_TIMEOUT_MILLISECONDS, async () =>
        run?.(platform, JSON.parse(job.payload)),
      )
    } catch (cause) {
      return await saveFailure(platform, { job, giveUp }, cause)
    }
    await finishJob(platform.db, { id: job.id, now: platform.clock.now() })
    return 'done'
  } catch (cause) {
    platform.log.error('job not written down', { jobId: job.id, kind: job.kind }, cause)
    return null
  }
}

async function withTimeout(milliseconds: number, work: () => Promise<void>): Promise<void> {
  const ended = new AbortController()
  const late = delay(milliseconds, undefined, { signal: ended.signal }).then(() => {
    throw new JobTimeout()
  })
  try {
    await Promise.race([work(), late])
  } finally {
    ended.abort()
  }
}

/** What became of an attempt: the job is done, waits for other work, is tried again or is given up. */
type JobOutcome = 'done' | 'waiting' | 'failed' | 'dead'

async function saveFailure(
  platform: Platform,
  { job, giveUp }: { readonly job: ClaimedJob; readonly giveUp: JobHandler | undefined },
  cause: unknown,
): Promise<JobOutcome> {
  const { db, clock, random, log } = platform
  const now = clock.now()
  const error = nameOfError(cause)
  if (cause instanceof NotYet) {
    await postponeJob(db, { job, error, runAt: secondsAfter(now, WAIT_SECONDS), triesBefore: job.attempts - 1 })
    return 'waiting'
  }
  const isDead = cause instanceof PermanentFailure || job.attempts >= ATTEMPTS_MAX
  const fields = { jobId: job.id, kind: job.kind, attempts: job.attempts, reason: error }
  if (isDead) {
    log.error('job given up', fields)
    await giveUp?.(platform, JSON.parse(job.payload))
    await buryJob(db, { job, error, now })
    return 'dead'
  }
  log.warn('job failed', fields)
  const pause = Math.max(backOffSeconds(job.attempts, random), shortestPause(cause))
  await postponeJob(db, { job, error, runAt: secondsAfter(now, pause), triesBefore: job.attempts })
  return 'failed'
}

/**
 * Returns the shortest pause before the next attempt, in seconds. A job that timed out may still be running, so no
 * other process may start it before its lease would have expired.
 */
function shortestPause(cause: unknown): number {
  if (cause instanceof RetryLater) return Math.min(cause.seconds, PAUSE_MAX_SECONDS)
  return cause instanceof JobTimeout ? LEASE_SECONDS : 0
}

function secondsAfter(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1_000)
}
