import { batchedFor } from '../../base/core/batching'
import type { Database, Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** A job that a runner has to itself until its lease runs out. */
export interface ClaimedJob {
  readonly id: string
  readonly kind: string
  readonly payload: string
  /** This one counted. */
  readonly attempts: number
}

interface JobRow {
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly payload: string
  readonly aggregate: string | null
  readonly runAt: Date
  readonly now: Date
}

/** Returns whether there was no job with its key. */
export async function insertJob(tx: Queryable, job: JobRow): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO jobs (id, kind, key, payload, aggregate, run_at, created_at) VALUES (${job.id}, ${job.kind}, ${job.key}, ${job.payload}, ${job.aggregate}, ${job.runAt}, ${job.now})
     ON CONFLICT (key) DO NOTHING RETURNING id`,
  )
  return rows.length > 0
}

interface Claim {
  readonly kinds: readonly string[]
  readonly now: Date
  readonly leaseUntil: Date
  /** A lease that ends later than this was written by a clock that was wrong, and binds nobody. */
  readonly latestLease: Date
  readonly most: number
}

/**
 * Leases the jobs that are due, the longest due first; those whose runner let its lease run out are due as well. Of an
 * aggregate only the oldest job that still waits is taken.
 */
export async function claimJobs(db: Queryable, claim: Claim): Promise<ClaimedJob[]> {
  return db.query<ClaimedJob>(
    sql`WITH due AS MATERIALIZED (
       SELECT j.id FROM jobs AS j
        WHERE j.state = 'queued' AND j.kind = ANY (${claim.kinds}::text[]) AND j.run_at <= ${claim.now}
          AND (j.lease_until IS NULL OR j.lease_until <= ${claim.now} OR j.lease_until > ${claim.latestLease})
          AND (j.aggregate IS NULL OR NOT EXISTS (
            SELECT 1 FROM jobs AS earlier
             WHERE earlier.aggregate = j.aggregate AND earlier.state = 'queued' AND earlier.seq < j.seq))
        ORDER BY j.run_at, j.seq LIMIT ${claim.most} FOR UPDATE OF j SKIP LOCKED)
     UPDATE jobs SET attempts = jobs.attempts + 1, lease_until = ${claim.leaseUntil} FROM due WHERE jobs.id = due.id
     RETURNING jobs.id, jobs.kind, jobs.payload, jobs.attempts`,
  )
}

/** Marks a job as done, also when another process has taken it meanwhile: its work stands. */
export const finishJob: (db: Queryable, done: { readonly id: string; readonly now: Date }) => Promise<void> =
  batchedFor(async (db, done) => {
    await db.query(
      sql`UPDATE jobs SET state = 'done', finished_at = done.at, lease_until = NULL, last_error = NULL
         FROM unnest(${done.map(({ id }) => id)}::text[], ${done.map(({ now }) => now)}::timestamptz[]) AS done (id, at) WHERE jobs.id = done.id AND state <> 'done'`,
    )
    return done.map(() => undefined)
  }, 100)

interface Failure {
  readonly job: ClaimedJob
  readonly error: string
}

/** Puts a failed job back, to be tried at `runAt`, unless its lease ran out and another runner has taken it. */
export async function postponeJob(db: Queryable, { job, error, runAt }: Failure & { runAt: Date }): Promise<void> {
  await db.query(
    sql`UPDATE jobs SET run_at = ${runAt}, lease_until = NULL, last_error = ${error}
      WHERE id = ${job.id} AND attempts = ${job.attempts} AND state = 'queued'`,
  )
}

/** Gives a job up, unless another runner has taken it. It stays until an operator has it tried again. */
export async function buryJob(db: Queryable, { job, error, now }: Failure & { now: Date }): Promise<void> {
  await db.query(
    sql`UPDATE jobs SET state = 'dead', finished_at = ${now}, lease_until = NULL, last_error = ${error}
      WHERE id = ${job.id} AND attempts = ${job.attempts} AND state = 'queued'`,
  )
}

export interface DeadJob {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly last_error: string | null
  readonly created_at: Date
}

/** How many jobs there are of each kind in each state. */
export async function countJobs(
  db: Queryable,
): Promise<{ kind: string; state: 'queued' | 'done' | 'dead'; count: number }[]> {
  return db.query(sql`SELECT kind, state, count(*)::int AS count FROM jobs GROUP BY kind, state ORDER BY kind, state`)
}

/** The newest jobs that were given up. */
export async function readDeadJobs(db: Queryable, most: number): Promise<DeadJob[]> {
  return db.query<DeadJob>(
    sql`SELECT id, kind, attempts, last_error, created_at FROM jobs WHERE state = 'dead'
      ORDER BY created_at DESC, seq DESC LIMIT ${most}`,
  )
}

/** Has a dead job tried again as if it were new; null when there is no such job or it is not dead. */
export async function retryDeadJob(
  db: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<{ id: string; kind: string } | null> {
  const [row] = await db.query<{ id: string; kind: string }>(
    sql`UPDATE jobs SET state = 'queued', attempts = 0, run_at = ${now}, lease_until = NULL, finished_at = NULL
      WHERE id = ${id} AND state = 'dead' RETURNING id, kind`,
  )
  return row ?? null
}

/** Until then the key of a job that was done is still known. */
const DONE_KEPT_MILLISECONDS = 7 * 86_400_000
const SWEPT_AT_ONCE = 5_000

/** Deletes jobs that were done a week ago. */
export async function sweepDoneJobs(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DONE_KEPT_MILLISECONDS)
  await db.query(
    sql`DELETE FROM jobs WHERE id IN
       (SELECT id FROM jobs WHERE state = 'done' AND finished_at < ${before} ORDER BY finished_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}
