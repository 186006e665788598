import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { changeLimits } from './change-limits'
import { findFreeze } from './change-store'
import type { restoreChoice } from './contract'
import { presentLimits } from './read-limits'
import { NO_LIMITS } from './rules'
import { proveRaise, type SavedInPortal } from './save-in-portal'

const DEFAULT_CURRENCY = 'EUR'

/**
 * Lets agents spend nothing more on their own: the daily cap becomes 0, and what was there before is kept for
 * `restoreSpending`. Freezing what is frozen changes nothing.
 */
export async function freezeSpending(call: WalletCall): Promise<SavedInPortal> {
  const frozen = await changeLimits(
    call,
    {
      clientId: null,
      kind: 'freeze',
      decide: async (tx, before) => {
        if ((await findFreeze(tx, call.actor.principalId)) !== null) return 'keep'
        const limits = before ?? NO_LIMITS
        return { ...limits, dailyCapMinor: 0, currency: limits.currency ?? DEFAULT_CURRENCY }
      },
    },
    () => Promise.reject(new Error('a freeze raises nothing')),
  )
  return { limits: frozen.limits === null ? null : presentLimits(frozen.limits), undo: null }
}

/** Puts back exactly what was there before spending was frozen. 409 when it is not; 403 step_up_required when not confirmed. */
export async function restoreSpending(
  call: WalletCall,
  { proof }: z.output<typeof restoreChoice>,
): Promise<SavedInPortal> {
  const freeze = await findFreeze(call.platform.db, call.actor.principalId)
  if (freeze === null) throw notFrozen()
  const restored = await changeLimits(
    call,
    {
      clientId: null,
      kind: 'restore',
      decide: async (tx) => {
        if ((await findFreeze(tx, call.actor.principalId))?.id !== freeze.id) throw notFrozen()
        return freeze.before
      },
    },
    () => proveRaise(call, { clientId: null, after: freeze.before }, proof),
  )
  return { limits: restored.limits === null ? null : presentLimits(restored.limits), undo: null }
}

function notFrozen(): ServiceError {
  return new ServiceError('conflict', 'Spending is not frozen.')
}
