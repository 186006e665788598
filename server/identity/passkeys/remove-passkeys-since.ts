import type { Transaction } from '../../base/core/platform'
import { savePasskeyRequirement } from '../../shared/principals'
import { deleteRecoveryCodesSince } from './recovery-store'
import { deletePasskeysSince, readPasskeyStatus } from './store'

/**
 * Removes the passkeys and recovery codes that were added at this instant or later, since an illegitimate passkey may
 * have confirmed them. With no passkey left, none is required. The caller holds the person's lock.
 */
export async function removePasskeysSince(tx: Transaction, principalId: string, since: Date): Promise<void> {
  await deletePasskeysSince(tx, principalId, since)
  await deleteRecoveryCodesSince(tx, principalId, since)
  const { passkeys } = await readPasskeyStatus(tx, principalId)
  if (passkeys === 0) await savePasskeyRequirement(tx, principalId, false)
}
