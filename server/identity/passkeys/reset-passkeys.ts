import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { lockPrincipal, savePasskeyRequirement } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { notifySecurityChange } from './notify-security-change'
import { deleteRecoveryCodes } from './recovery-store'
import { deletePasskeysOf, readPasskeyStatus } from './store'

/**
 * Removes all passkeys of a person who has lost them, their recovery codes and the requirement of a passkey, so that
 * mailed links sign in and confirm again. Notifies the person by mail when either was set. `record` reports it, last in
 * the transaction. Returns the number of passkeys removed.
 */
export async function resetPasskeys(
  call: Pick<Call, 'platform' | 'now'>,
  principalId: string,
  record: (tx: Transaction, removed: number) => Promise<void>,
): Promise<number> {
  const { platform } = call
  const removed = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    const count = await deletePasskeysOf(tx, principalId)
    await deleteRecoveryCodes(tx, principalId)
    const relaxed = await savePasskeyRequirement(tx, principalId, false)
    const { email } = await readPasskeyStatus(tx, principalId)
    if (count > 0 || relaxed) await notifySecurityChange(tx, call, { principalId, change: 'passkeys_reset', email })
    await record(tx, count)
    return count
  })
  nudgeJobs(platform)
  return removed
}
