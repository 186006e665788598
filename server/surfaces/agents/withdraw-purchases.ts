import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { withdrawPendingPurchases } from '../../wallet/approvals'
import { withdrawPendingBumps } from '../../wallet/limits'

/**
 * Withdraws the purchases and the limit requests that wait for the person, of one agent or, without a client id, of
 * all. Requests for wallet access stay. The caller holds the person's lock.
 */
export async function withdrawPurchases(
  tx: Transaction,
  { actor, now }: WalletCall,
  { clientId }: { readonly clientId: string | null },
): Promise<void> {
  const whose = { principalId: actor.principalId, clientId, now }
  await withdrawPendingPurchases(tx, { ...whose, via: clientId === null ? 'frozen' : 'paused' })
  await withdrawPendingBumps(tx, whose)
}
