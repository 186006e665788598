import type { Transaction } from '../../base/core/platform'
import { eraseChallenges } from './challenge-store'
import { deleteRecoveryCodes } from './recovery-store'
import { deletePasskeysOf } from './store'

/** Deletes the person's passkeys, recovery codes and challenges. */
export async function eraseCredentials(
  tx: Transaction,
  { principalId }: { readonly principalId: string },
): Promise<void> {
  await deletePasskeysOf(tx, principalId)
  await deleteRecoveryCodes(tx, principalId)
  await eraseChallenges(tx, principalId)
}
