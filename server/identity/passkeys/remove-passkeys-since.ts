import type { Transaction } from '../../base/core/platform'
import { savePasskeyRequirement } from '../../shared/principals'
import { deletePasskeysSince, getPasskeyStatus } from './store'

/**
 * Removes the passkeys that were added at this instant or later: one that should not be there may have let others in.
 * With none left, none is required. The caller holds the person's lock.
 */
export async function removePasskeysSince(tx: Transaction, principalId: string, since: Date): Promise<void> {
  await deletePasskeysSince(tx, principalId, since)
  const { passkeys } = await getPasskeyStatus(tx, principalId)
  if (passkeys === 0) await savePasskeyRequirement(tx, principalId, false)
}
