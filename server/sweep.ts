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

/** Deletes rows of one table that are no longer needed. How long they are kept is said beside the table's statements. */
type Sweep = (db: Database, now: Date) => Promise<void>

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

/** Deletes what has expired, table by table, each at most a batch of its oldest rows at a time. */
export async function sweepExpired({ db, clock }: Platform): Promise<void> {
  const now = clock.now()
  for (const sweep of sweeps) await sweep(db, now)
}
