import * as z from 'zod'
import type { Platform } from './base/core/platform'
import {
  hasUnderAnother,
  hasUnopenable,
  resealColumn,
  type SealedColumn,
  sealedSigningKeys,
} from './base/platform/keys/reseal'
import {
  sealedPresentationOutcomes,
  sealedPresentationRequests,
  sealedRelyingPartyKey,
} from './credentials/presentations'
import { sealedSignInAddresses } from './identity/sessions'
import { sealedPresentations } from './money/settlement'
import { sealedReplies } from './oauth/tokens'
import { sealedMessages, sealedPushKey, sealedSubscriptions } from './shared/notifications'
import { enqueueJob } from './shared/queue'
import { sealedPrivacyReplies } from './surfaces/privacy'
import { sealedMerchantKeys } from './surfaces/sandbox'

/** The kind of job that seals values again under the first key. */
export const RESEAL_JOB = 'reseal_values'

const columns: readonly SealedColumn[] = [
  sealedSigningKeys,
  sealedMessages,
  sealedSubscriptions,
  sealedPushKey,
  sealedSignInAddresses,
  sealedReplies,
  sealedPresentations,
  sealedPrivacyReplies,
  sealedMerchantKeys,
  sealedRelyingPartyKey,
  sealedPresentationRequests,
  sealedPresentationOutcomes,
]

/** The most values that one job seals, well within its time; the next job seals the rest. */
const RESEALED_AT_ONCE = 5_000

/**
 * Throws when values are sealed under a key that is no longer given; enqueues a job when some are sealed under a key
 * other than the first.
 */
export async function prepareSealedValues(platform: Platform): Promise<void> {
  let isAnyUnderAnother = false
  for (const column of columns) {
    if (!(await hasUnderAnother(platform, column))) continue
    isAnyUnderAnother = true
    if (!(await hasUnopenable(platform, column))) continue
    throw new Error(
      `Some ${column.what} were sealed under a key that KEY_ENCRYPTION_KEY no longer names. Start with that key after the new one, separated by a comma, until GET /operator/jobs shows no ${RESEAL_JOB} that is queued.`,
    )
  }
  if (isAnyUnderAnother) await leaveJob(platform)
}

async function leaveJob(platform: Platform): Promise<void> {
  const [keyId = ''] = platform.sealer.keyIds
  await enqueueJob(
    platform.db,
    { platform, now: platform.clock.now() },
    {
      kind: RESEAL_JOB,
      key: `reseal:${keyId}:${platform.random.uuid()}`,
      payload: { key_id: keyId },
      aggregate: RESEAL_JOB,
    },
  )
}

const order = z.object({ key_id: z.string() })

/**
 * Seals values again under the first key. Running it twice or in two processes is harmless, because changed values are
 * skipped. A process with another first key leaves the job to the others.
 */
export async function resealValues(platform: Platform, payload: unknown): Promise<void> {
  const { key_id: keyId } = order.parse(payload)
  if (keyId !== platform.sealer.keyIds[0]) throw new Error('Another key seals in this process.')
  let left = RESEALED_AT_ONCE
  for (const column of columns) left -= await resealColumn(platform, column, left)
  if (left <= 0) await leaveJob(platform)
}
