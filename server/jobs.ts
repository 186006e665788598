import { secondsSince } from './base/core/elapsed'
import type { Platform } from './base/core/platform'
import { deliverSandboxEvents } from './base/platform/processor/sandbox'
import { checkEnrolments, checkSlowEnrolments } from './credentials/federation'
import { MAIL_SIGN_IN_LINK, mailSignInLink } from './identity/sessions'
import { REFUND_JOB, refundCharge, resolveUnknown } from './money/settlement'
import { keepStatusPlaces } from './oauth/mandates'
import { RESEAL_JOB, resealValues } from './reseal'
import { checkpointBusyTenants, checkpointTenants } from './shared/audit'
import { DELIVER_MESSAGE, deliverMessage, dropData } from './shared/notifications'
import { JOBS_TOPIC, type JobHandlers, runDueJobs } from './shared/queue'
import { mailDailySummaries } from './surfaces/portal'
import { ERASE_AGAIN_JOB, eraseAgain, MAIL_DATA_JOB, mailData } from './surfaces/privacy'
import { sweepExpired } from './sweep'
import { DETACH_JOB, detachCard, FORGET_CUSTOMER_JOB, forgetCustomerOf } from './wallet/cards'

/** The handlers of the jobs that transactions leave in the queue. */
export const jobHandlers: JobHandlers = {
  [DELIVER_MESSAGE]: { run: deliverMessage, giveUp: dropData },
  [DETACH_JOB]: detachCard,
  [ERASE_AGAIN_JOB]: eraseAgain,
  [FORGET_CUSTOMER_JOB]: forgetCustomerOf,
  [MAIL_DATA_JOB]: mailData,
  [MAIL_SIGN_IN_LINK]: mailSignInLink,
  [REFUND_JOB]: refundCharge,
  [RESEAL_JOB]: resealValues,
}

interface RecurringWork {
  readonly name: string
  readonly everySeconds: number
  /** The seconds from the start to the first run; `everySeconds` by default. */
  readonly firstAfterSeconds?: number
  readonly run: (platform: Platform, signal: AbortSignal) => Promise<unknown>
}

const queuedWork: RecurringWork = {
  name: 'run-queued-jobs',
  everySeconds: 1,
  run: (platform, signal) => runDueJobs(platform, jobHandlers, { signal }),
}
const recurringWork: readonly RecurringWork[] = [
  queuedWork,
  { name: 'resolve-settlements', everySeconds: 5, run: resolveUnknown },
  { name: 'check-enrolments', everySeconds: 10, run: checkEnrolments },
  { name: 'check-slow-enrolments', everySeconds: 10, run: checkSlowEnrolments },
  { name: 'mail-daily-summaries', everySeconds: 30, run: mailDailySummaries },
  { name: 'sweep-expired', everySeconds: 60, run: sweepExpired },
  { name: 'keep-status-places', everySeconds: 60, run: keepStatusPlaces },
  { name: 'checkpoint-busy-tenants', everySeconds: 30, run: checkpointBusyTenants },
  // Early, since a process that restarts every hour would otherwise never run it.
  { name: 'checkpoint-audit', everySeconds: 3600, firstAfterSeconds: 60, run: checkpointTenants },
]
const sandboxWork: readonly RecurringWork[] = [
  { name: 'deliver-sandbox-webhooks', everySeconds: 1, run: deliverSandboxEvents },
]

/** Starts the recurring work of a process; the returned function stops it and waits for running work. */
export function startJobs(platform: Platform): () => Promise<void> {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const start = (work: RecurringWork): void => {
    if (stopping.signal.aborted || running.has(work.name)) return
    const run = runWork(platform, work, stopping.signal)
    running.set(
      work.name,
      run.finally(() => running.delete(work.name)),
    )
  }
  const all = [...recurringWork, ...(platform.config.sandbox ? sandboxWork : [])]
  const timers = all.map((work) => setInterval(() => start(work), work.everySeconds * 1000).unref())
  const firsts = all.flatMap((work) =>
    work.firstAfterSeconds === undefined ? [] : [setTimeout(() => start(work), work.firstAfterSeconds * 1000).unref()],
  )
  const unsubscribe = platform.cache.subscribe(JOBS_TOPIC, () => start(queuedWork))
  return async () => {
    unsubscribe()
    for (const timer of timers) clearInterval(timer)
    for (const first of firsts) clearTimeout(first)
    stopping.abort()
    await Promise.all(running.values())
  }
}

async function runWork(platform: Platform, { name: work, run }: RecurringWork, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  let outcome = 'done'
  try {
    await run(platform, signal)
  } catch (cause) {
    outcome = 'failed'
    platform.log.error('job failed', { job: work }, cause)
  }
  platform.telemetry.time('recurringWork', { work, outcome }, secondsSince(startedAt))
}
