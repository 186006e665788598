import type { Platform } from '../../base/core/platform'

/** Processes that hear of it look for due jobs at once rather than within a second. */
export const JOBS_TOPIC = 'jobs'

/** Says that a job was written. Call it after the commit; losing it costs a second at most. */
export function nudgeJobs({ cache, log }: Pick<Platform, 'cache' | 'log'>): void {
  setImmediate(() => {
    cache.publish(JOBS_TOPIC).catch((cause: unknown) => log.warn('jobs not nudged', {}, cause))
  })
}
