import type { Platform } from './base/core/platform'
import { deleteOldReplies } from './base/platform/processor/sandbox'
import { deleteExpiredChallenges } from './identity/passkeys'
import { deleteExpiredSessions } from './identity/sessions'
import { deleteExpiredRequests } from './oauth/authorization'
import { deleteExpiredReplayKeys } from './oauth/clients'
import { deleteExpiredReplies } from './oauth/tokens'
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
  const { db } = platform
  await deleteExpiredReplayKeys(db, { now, most: BATCH })
  await deleteExpiredRequests(db, { now, usedBefore, most: BATCH })
  await deleteExpiredReplies(db, now)
  await deleteExpiredChallenges(db, now)
  await deleteExpiredSessions(db, now)
  await deleteOldReplies(db, usedBefore)
  const doneBefore = new Date(now.getTime() - DONE_JOBS_KEPT_HOURS * 3_600_000)
  await deleteDoneJobs(db, { before: doneBefore, most: BATCH })
}
