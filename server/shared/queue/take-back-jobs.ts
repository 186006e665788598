import type { Platform } from '../../base/core/platform'
import { endLeases } from './store'

/**
 * Ends the leases that a killed process has left in the embedded database, which one process locks. In any other
 * database a lease may belong to a process that runs. Call it before any job is run.
 */
export async function takeBackJobs({ config, db }: Platform): Promise<void> {
  if (config.databaseUrl === null) await endLeases(db)
}
