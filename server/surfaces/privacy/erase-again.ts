import * as z from 'zod'
import type { Call } from '../../base/core/call'
import type { Platform, Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { findPrincipal, lockPrincipal } from '../../shared/principals'
import { enqueueJob } from '../../shared/queue'
import { forgetRequests } from '../../shared/request-log'
import { endTokens, eraseRows, publishEnd } from './erasure-steps'

export const ERASE_AGAIN_JOB = 'erase_again'

const SOON_SECONDS = 60
const LAST_SECONDS = 86_400

const order = z.strictObject({
  principal_id: z.string(),
  /** Whether a confirmation that no carrier has accepted yet is deleted too. */
  is_last: z.boolean(),
})

/** Returns the event of the message that confirms an erasure. */
export const confirmationKey = (principalId: string): string => `erased:${principalId}`

/** Enqueues the jobs that erase, a minute and a day later, rows that were being written during the erasure. */
export async function enqueueEraseAgain(
  tx: Transaction,
  call: Pick<Call, 'platform' | 'now'>,
  principalId: string,
): Promise<void> {
  await enqueue(tx, call, { principal_id: principalId, is_last: false })
  await enqueue(tx, call, { principal_id: principalId, is_last: true })
}

async function enqueue(
  tx: Transaction,
  call: Pick<Call, 'platform' | 'now'>,
  payload: z.input<typeof order>,
): Promise<void> {
  const seconds = payload.is_last ? LAST_SECONDS : SOON_SECONDS
  const runAt = new Date(call.now.getTime() + seconds * 1000)
  // Keyed by day, so that a job which runs twice leaves one successor.
  const [day] = runAt.toISOString().split('T')
  const key = `erase-again:${payload.principal_id}:${payload.is_last ? day : SOON_SECONDS}`
  await enqueueJob(tx, call, { kind: ERASE_AGAIN_JOB, key, payload, runAt })
}

/**
 * Erases what running requests wrote after an erasure, and what open settlements still needed then; again each day
 * while there are any. Does nothing for a person who was not erased.
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
    // Read first: a settlement that ends meanwhile is left to the next run.
    const isOpen = await hasOpenSettlements(tx, principalId)
    await eraseRows(tx, erasure)
    if (isLast && isOpen) await enqueue(tx, call, { principal_id: principalId, is_last: true })
    await endTokens(tx, erasure)
    await publishEnd(tx, erasure)
  })
  await forgetRequests(platform, principalId)
}

async function hasOpenSettlements(tx: Transaction, principalId: string): Promise<boolean> {
  const open = await tx.query(sql`SELECT 1 FROM open_settlements WHERE principal_id = ${principalId} LIMIT 1`)
  return open.length > 0
}
