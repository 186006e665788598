import type { Database, Platform } from './base/core/platform'
import { sweepReplies } from './base/platform/processor/sandbox'
import { sweepPhoneCodes } from './identity/contacts'
import { sweepChallenges } from './identity/passkeys'
import { sweepSessions, sweepSignInRequests } from './identity/sessions'
import { sweepAuthorizationCodes, sweepMagicLinks, sweepPushedRequests } from './oauth/authorization'
import { sweepReplayKeys } from './oauth/clients'
import { sweepIdempotentReplies, sweepTokenFamilies } from './oauth/tokens'
import { sweepMailedLinks } from './shared/mailed-links'
import { sweepMessages } from './shared/notifications'
import { sweepDoneJobs } from './shared/queue'
import { sweepSandboxNonces } from './surfaces/sandbox'

/** Deletes rows of one table that are no longer needed. How long they are kept is said beside the table's statements. */
type Sweep = (db: Database, now: Date) => Promise<void>

const sweeps: readonly Sweep[] = [
  sweepReplayKeys,
  sweepPushedRequests,
  sweepAuthorizationCodes,
  sweepTokenFamilies,
  sweepIdempotentReplies,
  sweepMagicLinks,
  sweepChallenges,
  sweepSignInRequests,
  sweepSessions,
  sweepMailedLinks,
  sweepPhoneCodes,
  sweepReplies,
  sweepSandboxNonces,
  sweepDoneJobs,
  sweepMessages,
]

/** Deletes what has expired, table by table, each at most a batch of its oldest rows at a time. */
export async function sweepExpired({ db, clock }: Platform): Promise<void> {
  const now = clock.now()
  for (const sweep of sweeps) await sweep(db, now)
}
