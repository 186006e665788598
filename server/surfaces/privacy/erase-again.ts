import * as z from 'zod'
import type { Call } from '../../base/core/call'
import type { Platform, Transaction } from '../../base/core/platform'
import { findPrincipal, lockPrincipal } from '../../shared/principals'
import { enqueueJob } from '../../shared/queue'
import { forgetRequests } from '../../shared/request-log'
import { endTokens, eraseRows, publishEnd } from './erasure-steps'

export const ERASE_AGAIN_JOB = 'erase_again'

const SOON_SECONDS = 60
const LAST_SECONDS = 86_400

const order = z.strictObject({
  principal_id: z.string(),
  /** Whether a confirmation that no carrier has taken by now is deleted too. */
  is_last: z.boolean(),
})

/** The event of the message that confirms an erasure. */
export const confirmationKey = (principalId: string): string => `erased:${principalId}`

/** Leaves the jobs that erase a minute and a day later what was being written meanwhile. */
export async function enqueueEraseAgain(
  tx: Transaction,
  call: Pick<Call, 'platform' | 'now'>,
  principalId: string,
): Promise<void> {
  for (const [seconds, isLast] of [
    [SOON_SECONDS, false],
    [LAST_SECONDS, true],
  ] as const) {
    await enqueueJob(tx, call, {
      kind: ERASE_AGAIN_JOB,
      key: `erase-again:${principalId}:${seconds}`,
      payload: { principal_id: principalId, is_last: isLast } satisfies z.input<typeof order>,
      runAt: new Date(call.now.getTime() + seconds * 1000),
    })
  }
}

/**
 * Erases what requests that had begun before an erasure wrote after it, and what open settlements still needed then. Does
 * nothing for a person who was not erased.
 */
export async function eraseAgain(platform: Platform, payload: unknown): Promise<void> {
  const { principal_id: principalId, is_last: isLast } = order.parse(payload)
  const now = platform.clock.now()
  const call = { platform, now }
  const actor = { kind: 'service', id: 'erasure' } as const
  const erasure = { principalId, call, now, actor, except: isLast ? null : confirmationKey(principalId) }
  await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    if ((await findPrincipal(tx, principalId))?.erased !== true) return
    await eraseRows(tx, erasure)
    await endTokens(tx, erasure)
    await publishEnd(tx, erasure)
  })
  await forgetRequests(platform, principalId)
}
