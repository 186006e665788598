import type { Platform } from '../../base/core/platform'

/** The topic on which processes are told to look for due jobs at once rather than within a second. */
export const JOBS_TOPIC = 'jobs'

/**
 * Announces that a job was inserted. Call it after the commit; a lost announcement delays the job by a second at most.
 */
export function nudgeJobs({ cache, log }: Pick<Platform, 'cache' | 'log'>): void {
  setImmediate(() => {
    cache.publish(JOBS_TOPIC).catch((cause: unknown) => log.warn('jobs not nudged', {}, cause))
  })
}
