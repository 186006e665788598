import type { Call } from '../core/call'
import { lockPrincipal } from '../principals'
import { nudgeJobs } from '../queue'
import { deletePasskeysOf, readStanding, saveRequirement } from './store'
import { tellSecurityChange } from './tell-security-change'

/**
 * Takes all passkeys of a person who lost them, and the demand for one, so that a link in their mail signs in and
 * confirms again. Mails them when there was anything to take. Returns how many passkeys there were.
 */
export async function resetPasskeys(call: Pick<Call, 'platform' | 'now'>, principalId: string): Promise<number> {
  const { platform } = call
  const removed = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    const count = await deletePasskeysOf(tx, principalId)
    const relaxed = await saveRequirement(tx, principalId, false)
    const { email } = await readStanding(tx, principalId)
    if (count > 0 || relaxed) await tellSecurityChange(tx, call, { principalId, change: 'passkeys_reset', email })
    return count
  })
  nudgeJobs(platform)
  return removed
}
