import { batchedFor } from '../../base/core/batching'
import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'

/** A job that is leased to one runner; this attempt is counted. */
export type ClaimedJob = Readonly<Row<'Job', 'id' | 'kind' | 'payload' | 'attempts'>>

interface NewJobRow {
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly payload: string
  readonly aggregate: string | null
  readonly runAt: Date
  readonly now: Date
}

/**
 * SQL that inserts the jobs that a query selects, except those whose key exists, and returns their ids. The query's
 * columns are id, kind, key, payload, aggregate, run_at and created_at.
 */
export const insertJobsSql = (selected: Sql): Sql =>
  sql`INSERT INTO jobs (id, kind, key, payload, aggregate, run_at, created_at) ${selected}
      ON CONFLICT (key) DO NOTHING RETURNING id`

/** Inserts a job unless its key exists. Returns whether it was inserted. */
export async function insertJob(tx: Queryable, job: NewJobRow): Promise<boolean> {
  const rows = await tx.query(
    insertJobsSql(
      sql`VALUES (${job.id}, ${job.kind}, ${job.key}, ${job.payload}, ${job.aggregate}, ${job.runAt}, ${job.now})`,
    ),
  )
  return rows.length > 0
}

interface Claim {
  readonly kinds: readonly string[]
  readonly now: Date
  readonly leaseUntil: Date
  /** The latest credible end of a lease; a later one was written by a wrong clock and is ignored. */
  readonly latestLease: Date
  readonly most: number
}

/**
 * Leases the jobs that are due, the most overdue first, including those whose lease has expired. Of an aggregate only
 * the oldest waiting job is taken.
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

/** Ends the leases of all jobs, so that they are run at once. Only for a process that shares its database with no other. */
export async function endLeases(db: Queryable): Promise<void> {
  await db.query(sql`UPDATE jobs SET lease_until = NULL WHERE state = 'queued' AND lease_until IS NOT NULL`)
}

/** Marks a job as done, even when another process has leased it meanwhile, since its work is done. */
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

/** Selects only the attempt that failed: another runner may have leased the job since. */
const attemptOf = ({ id, attempts }: ClaimedJob) => ({ id, attempts, state: 'queued' })

interface Postponement extends Failure {
  readonly runAt: Date
  /** The number of attempts that count before the next one. */
  readonly triesBefore: number
}

/** Schedules a job's next attempt at `runAt`, unless its lease expired and another runner has leased it. */
export async function postponeJob(db: Database, { job, error, runAt, triesBefore }: Postponement): Promise<void> {
  await db.prisma.job.updateMany({
    where: attemptOf(job),
    data: { run_at: runAt, lease_until: null, last_error: error, attempts: triesBefore },
  })
}

/** Gives a job up, unless another runner has leased it. It stays until an operator retries it. */
export async function buryJob(db: Database, { job, error, now }: Failure & { now: Date }): Promise<void> {
  await db.prisma.job.updateMany({
    where: attemptOf(job),
    data: { state: 'dead', finished_at: now, lease_until: null, last_error: error },
  })
}

type JobCount = Row<'Job', 'kind' | 'state', { state: 'queued' | 'done' | 'dead' }> & { count: number }

/** Returns the number of jobs by kind and state. */
export async function countJobs(db: Queryable): Promise<JobCount[]> {
  return db.query<JobCount>(
    sql`SELECT kind, state, count(*)::int AS count FROM jobs GROUP BY kind, state ORDER BY kind, state`,
  )
}

type WaitingCount = Row<'Job', 'kind' | 'state', { state: 'queued' | 'dead' }> & {
  readonly count: number
  /** The seconds since the oldest queued job became due; 0 when none is due, and for dead jobs. */
  readonly oldest_due_seconds: number
}

/**
 * Returns the number of jobs that are not done, by kind and state. Each branch is read from the index of its state, since
 * the jobs that were done in the last week are many more.
 */
export async function countWaitingJobs(db: Queryable, now: Date): Promise<WaitingCount[]> {
  return db.query<WaitingCount>(
    sql`SELECT kind, 'queued' AS state, count(*) AS count,
               greatest(extract(epoch FROM ${now}::timestamptz - min(run_at)), 0)::float8 AS oldest_due_seconds
          FROM jobs WHERE state = 'queued' GROUP BY kind
        UNION ALL
        SELECT kind, 'dead', count(*), 0 FROM jobs WHERE state = 'dead' GROUP BY kind
        ORDER BY kind, state`,
  )
}

const deadColumns = { id: true, kind: true, attempts: true, last_error: true, created_at: true } as const

export type DeadJob = Row<'Job', keyof typeof deadColumns>

/** Returns the newest jobs that were given up. */
export async function readDeadJobs(db: Database, most: number): Promise<DeadJob[]> {
  const rows = await db.prisma.job.findMany({
    select: deadColumns,
    where: { state: 'dead' },
    orderBy: [{ created_at: 'desc' }, { seq: 'desc' }],
    take: most,
  })
  return rows.map((row) => rowOf<DeadJob>(row))
}

/** Returns those of the keys whose jobs were given up. */
export async function findDeadKeys(db: Queryable, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db.query<Row<'Job', 'key'>>(
    sql`SELECT key FROM jobs WHERE key = ANY (${keys}::text[]) AND state = 'dead'`,
  )
  return rows.map(({ key }) => key)
}

/**
 * Resets a dead job, so that it is run again as if it were new; returns null when there is no such job or it is not
 * dead.
 */
export async function retryDeadJob(
  db: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<Row<'Job', 'id' | 'kind'> | null> {
  const [row] = await db.query<Row<'Job', 'id' | 'kind'>>(
    sql`UPDATE jobs SET state = 'queued', attempts = 0, run_at = ${now}, lease_until = NULL, finished_at = NULL
      WHERE id = ${id} AND state = 'dead' RETURNING id, kind`,
  )
  return row ?? null
}

/** Reschedules the jobs with these keys, unless they were attempted before. */
export async function moveJobs(tx: Queryable, keys: readonly string[], runAt: Date): Promise<void> {
  if (keys.length === 0) return
  await tx.query(
    sql`UPDATE jobs SET run_at = ${runAt} WHERE key = ANY (${keys}::text[]) AND state = 'queued' AND attempts = 0`,
  )
}

/** Deletes the jobs with these keys, done or not. A running one is not stopped. */
export async function deleteJobs(tx: Queryable, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await tx.query(sql`DELETE FROM jobs WHERE key = ANY (${keys}::text[])`)
}

/** Deletes jobs that were done long enough ago; until then their keys prevent duplicates. */
export function sweepDoneJobs(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('doneJobs', now)
  return countSwept(
    db,
    sql`DELETE FROM jobs WHERE id IN
       (SELECT id FROM jobs WHERE state = 'done' AND ${oldestSql(sql`finished_at`, before)})`,
  )
}
