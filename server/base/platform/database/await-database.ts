import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Database, Logger } from '../../core/platform'
import { sql } from '../../core/sql'
import { StartFailure } from '../start-failure'
import { absenceOf, type DatabasePlace, describePlace, explainDatabaseError } from './explain'

const ASK_EVERY_MILLISECONDS = 250
const SAY_EVERY_MILLISECONDS = 5_000
const SECOND_MILLISECONDS = 1_000
const CLOCK_DIFFERENCE_MAX_MILLISECONDS = 60_000

interface Waiting extends DatabasePlace {
  readonly startTimeoutSeconds: number
  readonly log: Logger
}

/**
 * Waits for an unreachable database and logs this now and then. A refusal ends the wait at once.
 * @throws StartFailure when it does not answer in time
 */
export async function awaitDatabase(db: Database, { startTimeoutSeconds, log, ...place }: Waiting): Promise<void> {
  const startedAt = performance.now()
  const where = describePlace(place)
  let sayAt = startedAt
  for (;;) {
    const absence = await absenceNow(db, place)
    if (absence === null) return
    const now = performance.now()
    const waitedSeconds = Math.round((now - startedAt) / 1000)
    if (now - startedAt >= startTimeoutSeconds * 1000) {
      throw new StartFailure(
        `The database at ${where} did not answer within ${startTimeoutSeconds} s: ${absence}. Start it, or correct DATABASE_URL.`,
      )
    }
    if (now >= sayAt) {
      log.warn('waiting for the database', { database: where, reason: absence, waitedSeconds, startTimeoutSeconds })
      sayAt += SAY_EVERY_MILLISECONDS
    }
    await delay(ASK_EVERY_MILLISECONDS)
  }
}

/** Returns why the database does not answer; null when it does. @throws StartFailure when it refuses access */
async function absenceNow(db: Database, place: DatabasePlace): Promise<string | null> {
  try {
    await db.ping()
    return null
  } catch (error) {
    const absence = absenceOf(error)
    if (absence !== null) return absence
    const explained = explainDatabaseError(error, place)
    if (explained !== error || !(error instanceof Error)) throw explained
    const words = `The database at ${describePlace(place)} cannot be used: ${error.message}. Correct DATABASE_URL.`
    throw new StartFailure(words, { cause: error })
  }
}

/**
 * Returns the milliseconds by which a clock is ahead of the database's. Days, expiry, leases and single use compare our
 * time with times that other processes wrote. Less than a second may be network delay and counts as zero.
 * @throws StartFailure when they differ by more than a minute
 */
export async function readClockDifference(db: Database, clock: Clock, place: DatabasePlace): Promise<number> {
  const asked = clock.now().getTime()
  const [row] = await db.query<{ now: Date }>(sql`SELECT clock_timestamp() AS now`)
  const ours = (asked + clock.now().getTime()) / 2
  const ahead = Math.round(ours - (row?.now.getTime() ?? ours))
  if (Math.abs(ahead) <= CLOCK_DIFFERENCE_MAX_MILLISECONDS) return Math.abs(ahead) < SECOND_MILLISECONDS ? 0 : ahead
  const how = ahead > 0 ? 'ahead of' : 'behind'
  const seconds = Math.round(Math.abs(ahead) / SECOND_MILLISECONDS)
  throw new StartFailure(
    `The clock of this machine is ${seconds} s ${how} that of the database at ${describePlace(place)}. Set both right, for example by NTP, then start again.`,
  )
}
