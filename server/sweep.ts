import type { Platform } from './base/core/platform'
import { sql } from './base/core/sql'
import { deleteDoneJobs } from './shared/queue'

/** What was used is kept this long, so that a late replay is known as one and, for a code, still ends its family. */
const USED_KEPT_HOURS = 24
/** Until then the key of a job that was done is still known. */
const DONE_JOBS_KEPT_HOURS = 168
const BATCH = 5_000

/** Deletes what has run out: used identifiers, pushed requests, codes, sign-in tokens, sessions, done jobs. Small batches, oldest first. */
export async function sweepExpired(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  const usedBefore = new Date(now.getTime() - USED_KEPT_HOURS * 3_600_000)
  await platform.db.query(
    sql`DELETE FROM replay_keys WHERE key IN (SELECT key FROM replay_keys WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${BATCH})`,
  )
  await platform.db.query(
    sql`DELETE FROM pushed_requests WHERE handle_hash IN
       (SELECT handle_hash FROM pushed_requests WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${BATCH})`,
  )
  await platform.db.query(
    sql`DELETE FROM authorization_codes WHERE code_hash IN
       (SELECT code_hash FROM authorization_codes WHERE expires_at < ${usedBefore} ORDER BY expires_at LIMIT ${BATCH})`,
  )
  await platform.db.query(sql`DELETE FROM idempotent_replies WHERE expires_at < ${now}`)
  await platform.db.query(sql`DELETE FROM magic_links WHERE expires_at < ${usedBefore}`)
  await platform.db.query(sql`DELETE FROM webauthn_challenges WHERE expires_at < ${now}`)
  await platform.db.query(sql`DELETE FROM sign_in_tokens WHERE expires_at < ${now}`)
  await platform.db.query(sql`DELETE FROM portal_sessions WHERE expires_at < ${now}`)
  await platform.db.query(sql`DELETE FROM sandbox_processor_replies WHERE created_at < ${usedBefore}`)
  const doneBefore = new Date(now.getTime() - DONE_JOBS_KEPT_HOURS * 3_600_000)
  await deleteDoneJobs(platform.db, { before: doneBefore, most: BATCH })
}
