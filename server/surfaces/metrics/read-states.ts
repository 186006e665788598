import { inTime } from '../../base/core/in-time'
import type { Platform } from '../../base/core/platform'
import type { Gauge } from '../../base/core/telemetry'
import { countOpenSettlements } from '../../money/settlement'
import { countFreePlaces } from '../../oauth/mandates'
import { readCheckpointLag } from '../../shared/audit'
import { countWaitingJobs } from '../../shared/queue'

/** A read answers for this long, also one that failed: a slow database is not read more often by impatient scrapers. */
const MAX_AGE_MILLISECONDS = 10_000
const TIMEOUT_MILLISECONDS = 2_000

interface LastRead {
  readonly startedAt: Date
  readonly states: Promise<readonly Gauge[]>
}

const lastReads = new WeakMap<Platform, LastRead>()

/**
 * Returns the states of the whole installation, read ten seconds ago at most. While the database does not answer there is
 * only the one that says so.
 */
export async function readStates(platform: Platform): Promise<readonly Gauge[]> {
  const now = platform.clock.now()
  const last = lastReads.get(platform)
  if (last !== undefined && Math.abs(now.getTime() - last.startedAt.getTime()) < MAX_AGE_MILLISECONDS) {
    return last.states
  }
  const states = readWithinTime(platform, now)
  lastReads.set(platform, { startedAt: now, states })
  return states
}

async function readWithinTime(platform: Platform, now: Date): Promise<readonly Gauge[]> {
  try {
    return [...(await inTime(readDatabase(platform, now), TIMEOUT_MILLISECONDS)), readable(1)]
  } catch (cause) {
    platform.log.warn('states not read', {}, cause)
    return [readable(0)]
  }
}

const readable = (value: 0 | 1): Gauge => ({
  name: 'countersign_states_readable',
  help: 'Whether the states of the installation were read from the database within two seconds (1), or are left out (0).',
  samples: single(value),
})

const single = (value: number): Gauge['samples'] => [{ labels: {}, value }]

async function readDatabase({ db, switches }: Platform, now: Date): Promise<readonly Gauge[]> {
  const [jobs, settlements, lag, freePlaces, features] = await Promise.all([
    countWaitingJobs(db, now),
    countOpenSettlements(db, now),
    readCheckpointLag(db, now),
    countFreePlaces(db),
    switches.list(),
  ])
  return [
    ...toJobGauges(jobs),
    ...toSettlementGauges(settlements),
    ...toAuditGauges(lag),
    {
      name: 'countersign_status_list_places_free',
      help: 'Places of the status list that are free for mandates, counted every minute; without any, no mandate is issued.',
      samples: single(freePlaces),
    },
    {
      name: 'countersign_switch_on',
      help: 'Whether a feature is on (1), or is turned off by its kill switch and answers 503 (0).',
      samples: features.map(({ name, enabled }) => ({ labels: { name }, value: enabled ? 1 : 0 })),
    },
  ]
}

function toJobGauges(jobs: Awaited<ReturnType<typeof countWaitingJobs>>): readonly Gauge[] {
  const queued = jobs.filter(({ state }) => state === 'queued')
  return [
    {
      name: 'countersign_jobs',
      help: 'Jobs that are not done, by kind and state; dead ones were given up and stay until an operator retries them.',
      samples: jobs.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
    },
    {
      name: 'countersign_job_oldest_due_seconds',
      help: 'Seconds since the oldest queued job of a kind became due, 0 when none is due; it grows while no process does the job, or while it waits behind one that fails.',
      samples: queued.map(({ kind, oldest_due_seconds: value }) => ({ labels: { kind }, value })),
    },
  ]
}

function toSettlementGauges(settlements: Awaited<ReturnType<typeof countOpenSettlements>>): readonly Gauge[] {
  return [
    {
      name: 'countersign_settlements_open',
      help: 'Settlements without an outcome, by state; each holds money of a person until it has one.',
      samples: settlements.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    {
      name: 'countersign_settlement_oldest_open_seconds',
      help: 'Seconds since the oldest open settlement in a state was reserved, 0 without any; minutes mean that outcomes are not found out, or that a bank waits for a cardholder.',
      samples: settlements.map(({ state, oldest_seconds: value }) => ({ labels: { state }, value })),
    },
  ]
}

function toAuditGauges({ entries, seconds }: Awaited<ReturnType<typeof readCheckpointLag>>): readonly Gauge[] {
  return [
    {
      name: 'countersign_audit_unsigned_entries',
      help: 'Entries since the newest signed checkpoint, of the audit chain that has the most; one is signed hourly and from 5,000 entries on, so that many more mean that it is not.',
      samples: single(entries),
    },
    {
      name: 'countersign_audit_unsigned_seconds',
      help: 'Seconds since the oldest audit entry that no signed checkpoint covers, 0 when all are covered; checkpoints are signed hourly, so that more means that they are not.',
      samples: single(seconds),
    },
  ]
}
