import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { sha256Base64url } from '../../base/protocol/encoding'
import { meansOf } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import { auditLimits, readLimitsOf, recordLimits } from './change-limits'
import { findLimitChange, type LimitChange } from './change-store'
import { UNDO_SECONDS, type undoLoweringProcedure } from './contract'
import { hasSameTimeZone, isRaise } from './raise'
import { NO_LIMITS } from './rules'

/**
 * Undoes a lowering without step-up: only the last change of those limits, by the session that made it, within 30 s,
 * and only to the limits before it. 404 for another person's change or an unknown one, 409 otherwise.
 */
export async function undoLowering(
  call: WalletCall,
  input: ProcedureInput<typeof undoLoweringProcedure>,
): Promise<{ ok: true }> {
  const { platform, actor } = call
  const { principalId } = actor
  await platform.db.transaction(async (tx) => {
    const known = await findLimitChange(tx, principalId, input.change_id)
    if (known === null) throw new ServiceError('not_found', 'There is no such change.')
    const owner = { principalId, clientId: known.change.clientId }
    await lockActor(tx, actor)
    const before = await readLimitsOf(tx, owner)
    // Read again under the lock, since the limits may have changed in between.
    const current = await findLimitChange(tx, principalId, input.change_id)
    if (current === null || !current.isLast || !mayUndo(call, current.change)) {
      throw new ServiceError('conflict', 'This change can no longer be undone.')
    }
    const change = { owner, before, after: current.change.before }
    await recordLimits(tx, call, { ...change, kind: 'undo' })
    await auditLimits(tx, call, { ...change, means: meansOf(actor), raised: true })
  })
  await announceChange(platform, principalId)
  return { ok: true }
}

function mayUndo({ actor, now }: WalletCall, change: LimitChange): boolean {
  if (change.kind !== 'save' || actor.session === null) return false
  if (change.sessionHash !== sha256Base64url(actor.session.id)) return false
  if (now.getTime() - change.createdAt.getTime() > UNDO_SECONDS * 1000) return false
  const [before, after] = [change.before ?? NO_LIMITS, change.after ?? NO_LIMITS]
  return hasSameTimeZone(before, after) && !isRaise(before, after)
}
