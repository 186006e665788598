import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { changeLimits } from './change-limits'
import { findFreeze } from './change-store'
import type { readLimitsEndpoint, restoreSpendingProcedure } from './contract'
import { presentLimits } from './read-limits'
import { NO_LIMITS } from './rules'
import { proveRaise } from './save-limits'

const DEFAULT_CURRENCY = 'EUR'

/** Limits after spending was frozen or restored. */
interface FrozenLimits {
  readonly limits: OutputOf<typeof readLimitsEndpoint>
}

/**
 * Stops agents from spending on their own: the daily cap becomes 0, and the limits before are stored for
 * `restoreSpending`. Freezing again changes nothing.
 */
export async function freezeSpending(call: WalletCall): Promise<FrozenLimits> {
  const { limits } = await changeLimits(
    call,
    {
      clientId: null,
      kind: 'freeze',
      decide: async (tx, before) => {
        if ((await findFreeze(tx, call.actor.principalId)) !== null) return 'keep'
        const unfrozen = before ?? NO_LIMITS
        return { ...unfrozen, dailyCapMinor: 0, currency: unfrozen.currency ?? DEFAULT_CURRENCY }
      },
    },
    () => Promise.reject(new Error('a freeze raises nothing')),
  )
  return { limits: limits === null ? null : presentLimits(limits) }
}

/** Restores the limits from before the freeze. 409 when spending is not frozen; 403 step_up_required without a confirmation. */
export async function restoreSpending(
  call: WalletCall,
  { proof }: ProcedureInput<typeof restoreSpendingProcedure>,
): Promise<FrozenLimits> {
  const freeze = await findFreeze(call.platform.db, call.actor.principalId)
  if (freeze === null) throw buildNotFrozenError()
  const { limits } = await changeLimits(
    call,
    {
      clientId: null,
      kind: 'restore',
      decide: async (tx) => {
        if ((await findFreeze(tx, call.actor.principalId))?.id !== freeze.id) throw buildNotFrozenError()
        return freeze.before
      },
    },
    () => proveRaise(call, { clientId: null, after: freeze.before }, proof),
  )
  return { limits: limits === null ? null : presentLimits(limits) }
}

function buildNotFrozenError(): ServiceError {
  return new ServiceError('conflict', 'Spending is not frozen.')
}
