import { coalescedFor } from '../core/coalesce'
import type { Queryable } from '../core/platform'

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
    `INSERT INTO jobs (id, kind, key, payload, aggregate, run_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (key) DO NOTHING RETURNING id`,
    [job.id, job.kind, job.key, job.payload, job.aggregate, job.runAt, job.now],
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
    `WITH due AS MATERIALIZED (
       SELECT j.id FROM jobs AS j
        WHERE j.state = 'queued' AND j.kind = ANY ($1::text[]) AND j.run_at <= $2
          AND (j.lease_until IS NULL OR j.lease_until <= $2 OR j.lease_until > $5)
          AND (j.aggregate IS NULL OR NOT EXISTS (
            SELECT 1 FROM jobs AS earlier
             WHERE earlier.aggregate = j.aggregate AND earlier.state = 'queued' AND earlier.seq < j.seq))
        ORDER BY j.run_at, j.seq LIMIT $4 FOR UPDATE OF j SKIP LOCKED)
     UPDATE jobs SET attempts = jobs.attempts + 1, lease_until = $3 FROM due WHERE jobs.id = due.id
     RETURNING jobs.id, jobs.kind, jobs.payload, jobs.attempts`,
    [claim.kinds, claim.now, claim.leaseUntil, claim.most, claim.latestLease],
  )
}

/** Marks a job as done, whoever else may have taken it meanwhile: its work stands. */
export const finishJob: (db: Queryable, done: { readonly id: string; readonly now: Date }) => Promise<void> =
  coalescedFor(async (db, done) => {
    await db.query(
      `UPDATE jobs SET state = 'done', finished_at = done.at, lease_until = NULL, last_error = NULL
         FROM unnest($1::text[], $2::timestamptz[]) AS done (id, at) WHERE jobs.id = done.id AND state <> 'done'`,
      [done.map(({ id }) => id), done.map(({ now }) => now)],
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
    `UPDATE jobs SET run_at = $3, lease_until = NULL, last_error = $4
      WHERE id = $1 AND attempts = $2 AND state = 'queued'`,
    [job.id, job.attempts, runAt, error],
  )
}

/** Gives a job up, unless another runner has taken it. It stays until an operator has it tried again. */
export async function buryJob(db: Queryable, { job, error, now }: Failure & { now: Date }): Promise<void> {
  await db.query(
    `UPDATE jobs SET state = 'dead', finished_at = $3, lease_until = NULL, last_error = $4
      WHERE id = $1 AND attempts = $2 AND state = 'queued'`,
    [job.id, job.attempts, now, error],
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
  return db.query('SELECT kind, state, count(*)::int AS count FROM jobs GROUP BY kind, state ORDER BY kind, state')
}

/** The newest jobs that were given up. */
export async function readDeadJobs(db: Queryable, most: number): Promise<DeadJob[]> {
  return db.query<DeadJob>(
    `SELECT id, kind, attempts, last_error, created_at FROM jobs WHERE state = 'dead'
      ORDER BY created_at DESC, seq DESC LIMIT $1`,
    [most],
  )
}

/** Has a dead job tried again as if it were new; null when there is no such job or it is not dead. */
export async function retryDeadJob(
  db: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<{ id: string; kind: string } | null> {
  const [row] = await db.query<{ id: string; kind: string }>(
    `UPDATE jobs SET state = 'queued', attempts = 0, run_at = $2, lease_until = NULL, finished_at = NULL
      WHERE id = $1 AND state = 'dead' RETURNING id, kind`,
    [id, now],
  )
  return row ?? null
}

/** Deletes jobs that were done before then, oldest first. */
export async function deleteDoneJobs(db: Queryable, { before, most }: { before: Date; most: number }): Promise<void> {
  await db.query(
    `DELETE FROM jobs WHERE id IN
       (SELECT id FROM jobs WHERE state = 'done' AND finished_at < $1 ORDER BY finished_at LIMIT $2)`,
    [before, most],
  )
}
