import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { removeCurrencyProcedure, saveCurrencyProcedure } from './contract'
import { capsByCurrency, withCaps } from './currencies'
import { requireCaps } from './require-limits'
import { DEFAULT_TIME_ZONE, NO_LIMITS } from './rules'
import { saveDecided } from './save-limits'
import { capsFromWire } from './wire-limits'

const NEW_PERSON = { ...NO_LIMITS, timeZone: DEFAULT_TIME_ZONE }

/**
 * Sets the limits of one currency; those of others stay. When it is the first currency with limits, payments in any
 * other are refused from then on; a further currency is accepted in addition. 422 for no limit at all, 403
 * step_up_required for a raise that is not confirmed.
 */
export async function saveCurrency(
  call: WalletCall,
  { proof, currency, ...wanted }: ProcedureInput<typeof saveCurrencyProcedure>,
): Promise<{ undo: string | null }> {
  requireCaps(wanted)
  const { undo } = await saveDecided(call, {
    clientId: null,
    decide: (before) => withCaps(before ?? NEW_PERSON, currency, capsFromWire(wanted)),
    proof,
  })
  return { undo }
}

/**
 * Removes one of several currencies, so that payments in it are refused. 404 for one without limits, 409 for the last:
 * without it payments in any currency would be unlimited.
 */
export async function removeCurrency(
  call: WalletCall,
  { currency }: ProcedureInput<typeof removeCurrencyProcedure>,
): Promise<{ undo: string | null }> {
  const { undo } = await saveDecided(call, {
    clientId: null,
    decide: (before) => {
      const limits = before ?? NEW_PERSON
      const caps = capsByCurrency(limits)
      if (!caps.has(currency)) throw new ServiceError('not_found', 'There are no limits in this currency.')
      if (caps.size === 1) throw new ServiceError('conflict', 'The last currency cannot be removed.')
      return withCaps(limits, currency, null)
    },
    proof: undefined,
  })
  return { undo }
}
