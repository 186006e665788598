import type { Database, Platform } from './base/core/platform'
import { sweepReplies } from './base/platform/processor/sandbox'
import { sweepIssuedCredentials } from './credentials/issuance'
import { sweepPresentationRequests } from './credentials/presentations'
import { sweepPhoneCodes } from './identity/contacts'
import { sweepChallenges } from './identity/passkeys'
import { sweepSessions, sweepSignInRequests } from './identity/sessions'
import { sweepAuthorizationCodes, sweepMagicLinks, sweepPushedRequests } from './oauth/authorization'
import { sweepReplayKeys } from './oauth/clients'
import { sweepCredentialNonces, sweepOffers } from './oauth/credential-offers'
import { sweepIdempotentReplies, sweepTokenFamilies } from './oauth/tokens'
import { sweepMailedLinks } from './shared/mailed-links'
import { sweepDevices, sweepMessages } from './shared/notifications'
import { sweepDoneJobs } from './shared/queue'
import { sweepPrivacyReplies } from './surfaces/privacy'
import { sweepSandboxNonces } from './surfaces/sandbox'
import { sweepAgeProofs } from './wallet/age-proofs'

/** Deletes the oldest rows of one table that are no longer needed, at most a batch of them, and returns how many. */
type Sweep = (db: Database, now: Date) => Promise<number>

const sweeps: readonly Sweep[] = [
  sweepReplayKeys,
  sweepPushedRequests,
  sweepAuthorizationCodes,
  sweepOffers,
  sweepCredentialNonces,
  sweepIssuedCredentials,
  sweepTokenFamilies,
  sweepIdempotentReplies,
  sweepPrivacyReplies,
  sweepMagicLinks,
  sweepChallenges,
  sweepSignInRequests,
  sweepDevices,
  sweepSessions,
  sweepMailedLinks,
  sweepPhoneCodes,
  sweepPresentationRequests,
  sweepAgeProofs,
  sweepReplies,
  sweepSandboxNonces,
  sweepDoneJobs,
  sweepMessages,
]

/**
 * Deletes expired rows, table by table, in batches of the oldest rows until none is left, since more than a batch may
 * expire in a minute. A failure on one table does not affect the others.
 */
export async function sweepExpired(platform: Platform, signal?: AbortSignal): Promise<void> {
  for (const sweep of sweeps) {
    await sweepAll(platform, sweep, signal).catch((cause: unknown) => {
      platform.log.error('job failed', { job: 'sweep-expired' }, cause)
    })
  }
}

async function sweepAll({ db, clock }: Platform, sweep: Sweep, signal: AbortSignal | undefined): Promise<void> {
  const now = clock.now()
  for (;;) {
    if (signal?.aborted === true || (await sweep(db, now)) === 0) return
  }
}
