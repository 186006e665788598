import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { declineConsentsProcedure } from './contract'
import { recordDecision } from './record-decision'

/**
 * Declines several requests in one call, each in a transaction of its own. A request that was decided otherwise, has
 * expired or is unknown stays as it is. Returns the ids of those that are declined.
 */
export async function declineConsents(
  call: WalletCall,
  { authorization_ids: ids }: ProcedureInput<typeof declineConsentsProcedure>,
): Promise<{ readonly declined: readonly string[] }> {
  const declined: string[] = []
  for (const id of new Set(ids)) {
    if (await isDeclined(call, id)) declined.push(id)
  }
  return { declined }
}

async function isDeclined(call: WalletCall, id: string): Promise<boolean> {
  try {
    await recordDecision(call, { authorization_id: id, decision: 'decline' }, null)
    return true
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'not_found' || error.code === 'conflict')) return false
    throw error
  }
}
