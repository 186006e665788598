import type { Call } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import { insertJob } from './store'

export interface NewJob {
  /** The kind, which selects the handler. */
  readonly kind: string
  /**
   * The key of the event that causes it: one job per key, however often it is written, until a week after it was done.
   */
  readonly key: string
  /**
   * JSON that refers to the records that the job is about. It must hold no personal data and no secrets; the handler
   * reads those from the records.
   */
  readonly payload: Readonly<Record<string, unknown>>
  /** Jobs with the same aggregate are done one after the other, in the order in which they were written. */
  readonly aggregate?: string
  /** The earliest time; at once when absent. */
  readonly runAt?: Date
}

/** Inserts a job in the transaction of the change that causes it. Returns whether it is new. */
export async function enqueueJob(tx: Queryable, call: Pick<Call, 'now' | 'platform'>, job: NewJob): Promise<boolean> {
  return insertJob(tx, {
    id: call.platform.random.uuid(),
    kind: job.kind,
    key: job.key,
    payload: JSON.stringify(job.payload),
    aggregate: job.aggregate ?? null,
    runAt: job.runAt ?? call.now,
    now: call.now,
  })
}
